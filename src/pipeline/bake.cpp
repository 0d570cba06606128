#include "terraway/pipeline/bake.hpp"

#include "terraway/ground/meshes.hpp"
#include "terraway/navigation/fields.hpp"

#include "edit_targets.hpp"
#include "stage_table.hpp"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>

namespace tw::pipeline {
namespace {

template <class... Options>
StageInfo stage_info(StageName name, const Options&... options) {
    StageInfo info = info_of(name);
    Hasher hasher;
    (hasher.add(options), ...);
    info.options = hasher.finish();
    return info;
}

/// The job that this thread advances: progress is told on no other.
thread_local const void* advancing = nullptr;
class Advancing {
public:
    explicit Advancing(const void* job) : before_(std::exchange(advancing, job)) {}
    ~Advancing() { advancing = before_; }
    Advancing(const Advancing&) = delete;
    Advancing& operator=(const Advancing&) = delete;

private:
    const void* before_;
};

}  // namespace

class BakeJob::Impl {
public:
    Impl(const WorldRecipe& recipe, const Imports& imports, const BakeEnvironment& environment)
        : recipe_(recipe), environment_(environment) {
        heights_ = graph_.add_input(imports.heights);
        imported_lines_ = graph_.add_input(imports.lines ? imports.lines : recipe.roads_lines);
        has_roads_ = pipeline::has_roads(recipe, imports);
        const auto edits =
            imports.edits ? imports.edits : std::make_shared<const world::EditList>();
        world_.edits = edits;
        // Edits come apart by what they are done to, so that one that moves a road does not make
        // the terrain's stages run again.
        ground_edits_ = graph_.add_input(edits_of(*edits, EditTarget::ground));
        attribute_edits_ = graph_.add_input(edits_of(*edits, EditTarget::attributes));
        road_edits_ = graph_.add_input(edits_of(*edits, EditTarget::roads));
        obstacle_edits_ = graph_.add_input(edits_of(*edits, EditTarget::obstacles));
    }

    void plan(BakeTargets targets) {
        add_placement();
        if (targets == BakeTargets::world) add_terrain();
        add_streets();
        if (targets == BakeTargets::world) {
            add_street_heights();
            add_ground();
            add_navigation();
        }
        for (std::size_t i = 0; i < graph_.stage_count(); ++i) {
            total_weight_ += graph_.info(i).weight;
            stage_progress_.emplace_back(*this);
        }
        done_.assign(graph_.stage_count(), 0);
        report_.resize(graph_.stage_count());
    }
    bool has_roads() const { return has_roads_; }

    Result<bool> advance(std::uint32_t budget);
    bool finished() const { return next() == graph_.stage_count(); }
    BakeProgress where() const {
        const std::size_t stage = next();
        return {.fraction = fraction_.load(std::memory_order_relaxed),
                .stage = stage < graph_.stage_count() ? graph_.info(stage).name : ""};
    }
    const BakedWorld& world() const { return world_; }

private:
    void add_placement();
    void add_terrain();
    void add_streets();
    void add_street_heights();
    void add_ground();
    void add_navigation();

    /// How far one stage is; stages may run on several threads.
    class StageProgress final : public ProgressSink {
    public:
        explicit StageProgress(Impl& job) : job_(job) {}
        void progress(double fraction, std::string_view what) override {
            fraction_.store(fraction, std::memory_order_relaxed);
            job_.report_progress(what);
        }
        double fraction() const { return fraction_.load(std::memory_order_relaxed); }

    private:
        Impl& job_;
        std::atomic<double> fraction_{0.0};
    };

    std::size_t next() const { return next_.load(std::memory_order_relaxed); }
    void report_progress(std::string_view what);
    std::vector<std::vector<std::size_t>> next_wave(std::uint32_t budget) const;
    std::uint32_t weight_of(std::span<const std::vector<std::size_t>> wave) const;
    Status run_wave(std::span<const std::vector<std::size_t>> wave);
    Status run_stage(std::size_t stage);
    void share_time(std::span<const std::vector<std::size_t>> wave, std::uint64_t took);
    Executor& executor() { return environment_.executor ? *environment_.executor : serial_; }
    std::uint64_t now() const { return environment_.clock ? environment_.clock->nanoseconds() : 0; }
    void collect();

    const WorldRecipe recipe_;
    const BakeEnvironment environment_;
    SerialExecutor serial_;
    Graph graph_;

    Node<world::ImportedHeights> heights_;
    Node<world::ImportedLines> imported_lines_;
    Node<TargetEdits> ground_edits_, attribute_edits_, road_edits_, obstacle_edits_;
    bool has_roads_ = false;
    Node<world::Placement> placement_;
    Node<terrain::Sites> sites_;
    Node<world::PolygonMap> map_;
    Node<world::Relief> relief_, edited_relief_;
    Node<world::Drainage> drainage_;
    Node<world::Rivers> rivers_;
    Node<world::Climate> climate_;
    Node<world::Moisture> moisture_;
    Node<world::Biomes> biomes_;
    Node<world::Attributes> attributes_;
    Node<world::RoadLines> lines_, edited_lines_;
    Node<world::RoadNetwork> network_;
    Node<world::StreetSurface> streets_;
    Node<world::StreetHeights> street_heights_;
    Node<world::Obstacles> obstacles_;
    Node<world::GroundMeshes> meshes_;
    Node<world::HeightRaster> raster_;
    Node<world::CostGrid> cost_;
    Node<world::IntegrationField> integration_;
    Node<world::DirectionField> directions_;

    std::uint32_t total_weight_ = 0;
    std::deque<StageProgress> stage_progress_;
    std::vector<std::uint8_t> done_;    ///< 1 by stage
    std::vector<StageReport> report_;   ///< by stage
    std::atomic<std::size_t> next_{0};  ///< the first stage that is not done
    std::atomic<double> fraction_{0.0};
    std::optional<Error> failed_;
    BakedWorld world_;
};

void BakeJob::Impl::add_placement() {
    placement_ = graph_.add<world::Placement>(
        stage_info(StageName::placement, recipe_.placement),
        [this](const world::ImportedHeights* heights, const world::ImportedLines* lines,
               StageContext&) { return world::place_world(recipe_.placement, heights, lines); },
        heights_, imported_lines_);
}

void BakeJob::Impl::add_terrain() {
    sites_ = graph_.add<terrain::Sites>(
        stage_info(StageName::sites, recipe_.sites, recipe_.seed),
        [this](const world::Placement* placement, StageContext& context) {
            return terrain::build_sites(placement->bounds, recipe_.sites, recipe_.seed, context);
        },
        placement_);
    map_ = graph_.add<world::PolygonMap>(
        stage_info(StageName::cells, recipe_.sites),
        [this](const terrain::Sites* sites, const world::Placement* placement,
               StageContext& context) {
            return terrain::build_polygon_map(*sites, placement->bounds, recipe_.sites, context);
        },
        sites_, placement_);
    relief_ = graph_.add<world::Relief>(
        stage_info(StageName::relief, recipe_.relief, recipe_.seed),
        [this](const world::PolygonMap* map, const world::ImportedHeights* heights,
               const world::Placement* placement, StageContext& context) {
            return terrain::build_relief(*map, recipe_.relief, heights, *placement, recipe_.seed,
                                         context);
        },
        map_, heights_, placement_);
    climate_ = graph_.add<world::Climate>(
        stage_info(StageName::climate, recipe_.climate),
        [this](const world::PolygonMap* map, const world::Relief* relief, StageContext& context) {
            return terrain::build_climate(*map, *relief, recipe_.climate, context);
        },
        map_, relief_);
    edited_relief_ = graph_.add<world::Relief>(
        stage_info(StageName::edits),
        [](const world::PolygonMap* map, const world::Relief* relief, const TargetEdits* edits,
           StageContext& context) { return edit_relief(*map, *relief, *edits, context); },
        map_, relief_, ground_edits_);
    drainage_ = graph_.add<world::Drainage>(
        stage_info(StageName::drainage, recipe_.drainage, recipe_.relief.border),
        [this](const world::PolygonMap* map, const world::Relief* relief, StageContext& context) {
            return terrain::build_drainage(*map, *relief, recipe_.relief.border, recipe_.drainage,
                                           context);
        },
        map_, edited_relief_);
    rivers_ = graph_.add<world::Rivers>(
        stage_info(StageName::rivers, recipe_.rivers),
        [this](const world::PolygonMap* map, const world::Relief* relief,
               const world::Drainage* drainage, StageContext& context) {
            return terrain::build_rivers(*map, *relief, *drainage, recipe_.rivers, context);
        },
        map_, edited_relief_, drainage_);
    moisture_ = graph_.add<world::Moisture>(
        stage_info(StageName::moisture, recipe_.climate),
        [this](const world::PolygonMap* map, const world::Drainage* drainage,
               const world::Rivers* rivers, const world::Climate* climate, StageContext& context) {
            return terrain::build_moisture(*map, *drainage, *rivers, *climate, recipe_.climate,
                                           context);
        },
        map_, drainage_, rivers_, climate_);
    biomes_ = graph_.add<world::Biomes>(
        stage_info(StageName::biomes, recipe_.climate),
        [this](const world::PolygonMap* map, const world::Drainage* drainage,
               const world::Moisture* moisture, StageContext& context) {
            return terrain::build_biomes(*map, *drainage, *moisture, recipe_.climate, context);
        },
        map_, drainage_, moisture_);
    attributes_ = graph_.add<world::Attributes>(
        stage_info(StageName::attributes),
        [](const world::PolygonMap* map, const TargetEdits* edits, StageContext&) {
            return build_attributes(*map, *edits);
        },
        map_, attribute_edits_);
}

void BakeJob::Impl::add_streets() {
    lines_ = graph_.add<world::RoadLines>(
        stage_info(StageName::lines),
        [](const world::ImportedLines* lines, const world::Placement* placement, StageContext&) {
            return lines ? world::project_lines(*lines, *placement) : world::RoadLines::none();
        },
        imported_lines_, placement_);
    edited_lines_ = graph_.add<world::RoadLines>(
        stage_info(StageName::road_edits),
        [](const world::RoadLines* lines, const world::Placement* placement,
           const TargetEdits* edits,
           StageContext&) { return edit_lines(*lines, placement->bounds, *edits); },
        lines_, placement_, road_edits_);
    network_ = graph_.add<world::RoadNetwork>(
        stage_info(StageName::network, recipe_.network),
        [this](const world::RoadLines* lines, StageContext& context) {
            return roads::build_network(*lines, recipe_.network, context);
        },
        edited_lines_);
    streets_ = graph_.add<world::StreetSurface>(
        stage_info(StageName::streets, recipe_.streets),
        [this](const world::RoadNetwork* network, StageContext& context) {
            return streets::build_streets(*network, recipe_.streets, context);
        },
        network_);
}

void BakeJob::Impl::add_street_heights() {
    street_heights_ = graph_.add<world::StreetHeights>(
        stage_info(StageName::street_heights, recipe_.drape),
        [this](const world::PolygonMap* map, const world::Drainage* drainage,
               const world::Rivers* rivers, const world::RoadNetwork* network,
               const world::StreetSurface* streets, StageContext& context) {
            if (streets->piece_count() == 0) return Result(world::StreetHeights{});
            const world::SurfaceQuery query({map, drainage, rivers});
            return ground::drape_streets(query, *network, *streets, recipe_.drape, context);
        },
        map_, drainage_, rivers_, network_, streets_);
}

void BakeJob::Impl::add_ground() {
    obstacles_ = graph_.add<world::Obstacles>(
        stage_info(StageName::obstacles),
        [](const world::Placement* placement, const TargetEdits* edits, StageContext&) {
            return build_obstacles(placement->bounds, *edits);
        },
        placement_, obstacle_edits_);
    meshes_ = graph_.add<world::GroundMeshes>(
        stage_info(StageName::meshes),
        [](const world::PolygonMap* map, const world::Drainage* drainage,
           const world::Rivers* rivers, const world::Relief* relief, const world::Biomes* biomes,
           const world::StreetSurface* streets, const world::StreetHeights* heights,
           StageContext& context) {
            return ground::build_meshes({map, drainage, rivers}, *relief, *biomes, streets, heights,
                                        context);
        },
        map_, drainage_, rivers_, edited_relief_, biomes_, streets_, street_heights_);
    raster_ = graph_.add<world::HeightRaster>(
        stage_info(StageName::raster, recipe_.raster),
        [this](const world::PolygonMap* map, const world::Drainage* drainage,
               const world::Rivers* rivers, StageContext& context) {
            return ground::build_height_raster({map, drainage, rivers}, recipe_.raster, context);
        },
        map_, drainage_, rivers_);
}

void BakeJob::Impl::add_navigation() {
    cost_ = graph_.add<world::CostGrid>(
        stage_info(StageName::cost, recipe_.cost),
        [this](const world::PolygonMap* map, const world::Drainage* drainage,
               const world::Rivers* rivers, const world::Biomes* biomes,
               const world::StreetSurface* streets, const world::Obstacles* obstacles,
               StageContext& context) {
            return navigation::build_cost_grid({.surface = {map, drainage, rivers},
                                                .biomes = biomes,
                                                .streets = streets,
                                                .obstacles = obstacles},
                                               recipe_.cost, context);
        },
        map_, drainage_, rivers_, biomes_, streets_, obstacles_);
    integration_ = graph_.add<world::IntegrationField>(
        stage_info(StageName::integration),
        [](const world::CostGrid* cost, StageContext& context) {
            const world::NavCellId goal = navigation::default_goal(*cost);
            const std::size_t goals = goal.is_none() ? 0 : 1;
            return navigation::integrate(*cost, std::span(&goal, goals), context);
        },
        cost_);
    directions_ = graph_.add<world::DirectionField>(
        stage_info(StageName::directions),
        [](const world::CostGrid* cost, const world::IntegrationField* integration,
           StageContext& context) {
            return navigation::build_directions(*cost, *integration, context);
        },
        cost_, integration_);
}

void BakeJob::Impl::report_progress(std::string_view what) {
    double done = 0.0;
    for (std::size_t i = 0; i < graph_.stage_count(); ++i) {
        done += stage_progress_[i].fraction() * graph_.info(i).weight;
    }
    // Stages may report twice from a place; what the caller sees never falls.
    double seen = fraction_.load(std::memory_order_relaxed);
    const double fraction = std::max(seen, std::min(1.0, done / total_weight_));
    while (seen < fraction &&
           !fraction_.compare_exchange_weak(seen, fraction, std::memory_order_relaxed)) {
    }
    if (environment_.progress && advancing == this) {
        environment_.progress->progress(std::max(seen, fraction), what);
    }
}

/// What runs next: all that can, where there are threads for it and the budget takes it; else one
/// stage.
std::vector<std::vector<std::size_t>> BakeJob::Impl::next_wave(std::uint32_t budget) const {
    // What a stage shows should not come mixed with another's.
    if (environment_.executor && environment_.executor->concurrency() > 1 && !environment_.debug) {
        auto wave = graph_.ready_chains(done_);
        if (weight_of(wave) <= budget) return wave;
    }
    return {{next()}};
}

std::uint32_t BakeJob::Impl::weight_of(std::span<const std::vector<std::size_t>> wave) const {
    std::uint32_t weight = 0;
    for (const auto& chain : wave) {
        for (const std::size_t stage : chain) weight += graph_.info(stage).weight;
    }
    return weight;
}

Status BakeJob::Impl::run_wave(std::span<const std::vector<std::size_t>> wave) {
    std::vector<std::optional<Error>> failed(graph_.stage_count());
    const std::uint64_t start = wave.size() > 1 ? now() : 0;
    executor().run(wave.size(), [&](std::size_t chain) {
        for (const std::size_t stage : wave[chain]) {
            Status status = run_stage(stage);
            if (status) continue;
            failed[stage] = std::move(status).error();
            return;
        }
    });
    if (wave.size() > 1) share_time(wave, now() - start);
    report_progress(graph_.info(wave.back().back()).name);  // what other threads could not tell
    while (!finished() && done_[next()]) next_.store(next() + 1, std::memory_order_relaxed);
    collect();
    for (std::optional<Error>& error : failed) {
        if (error) return *std::move(error);
    }
    return ok_status();
}

void BakeJob::Impl::share_time(std::span<const std::vector<std::size_t>> wave, std::uint64_t took) {
    std::uint64_t sum = 0;
    for (const auto& chain : wave) {
        for (const std::size_t stage : chain) sum += report_[stage].nanoseconds;
    }
    if (sum == 0) return;
    const double share = static_cast<double>(took) / static_cast<double>(sum);
    for (const auto& chain : wave) {
        for (const std::size_t stage : chain) {
            std::uint64_t& time = report_[stage].nanoseconds;
            time = static_cast<std::uint64_t>(static_cast<double>(time) * share);
        }
    }
}

Status BakeJob::Impl::run_stage(std::size_t stage) {
    const StageInfo& info = graph_.info(stage);
    StageContext context(executor());
    context.cancel = environment_.cancel;
    context.debug = environment_.debug;
    context.memory_limit = environment_.memory_limit;
    context.progress = Progress(&stage_progress_[stage]).part(0.0, 1.0, info.name);
    context.progress.set(0.0);

    const std::uint64_t start = now();
    TW_ASSIGN(const Graph::Source source, graph_.run(stage, environment_.cache, context));
    report_[stage] = {.name = std::string(info.name),
                      .hash = graph_.hash(stage),
                      .nanoseconds = now() - start,
                      .cached = source == Graph::Source::cache};
    context.progress.set(1.0);
    done_[stage] = 1;
    return ok_status();
}

Result<bool> BakeJob::Impl::advance(std::uint32_t budget) {
    if (failed_) return *failed_;
    const Advancing here(this);
    std::uint32_t used = 0;
    while (!finished() && (used == 0 || used < budget)) {
        const auto wave = next_wave(budget - used);
        if (Status status = run_wave(wave); !status) {
            failed_ = std::move(status).error();
            return *failed_;
        }
        used += weight_of(wave);
    }
    return finished();
}

void BakeJob::Impl::collect() {
    world_.placement = graph_.share(placement_);
    world_.map = graph_.share(map_);
    world_.relief = graph_.share(relief_);
    world_.climate = graph_.share(climate_);
    world_.edited_relief = graph_.share(edited_relief_);
    world_.drainage = graph_.share(drainage_);
    world_.rivers = graph_.share(rivers_);
    world_.moisture = graph_.share(moisture_);
    world_.biomes = graph_.share(biomes_);
    world_.attributes = graph_.share(attributes_);
    world_.lines = graph_.share(lines_);
    world_.edited_lines = graph_.share(edited_lines_);
    world_.network = graph_.share(network_);
    world_.streets = graph_.share(streets_);
    world_.street_heights = graph_.share(street_heights_);
    world_.obstacles = graph_.share(obstacles_);
    world_.meshes = graph_.share(meshes_);
    world_.raster = graph_.share(raster_);
    world_.cost = graph_.share(cost_);
    world_.integration = graph_.share(integration_);
    world_.directions = graph_.share(directions_);

    world_.stages.clear();
    for (std::size_t stage = 0; stage < report_.size(); ++stage) {
        if (done_[stage]) world_.stages.push_back(report_[stage]);
    }
    world_.hash = hash_of_stages(world_.stages);
}

std::uint64_t hash_of_stages(std::span<const StageReport> stages) {
    Hasher hasher;
    for (const StageReport& stage : stages) hasher.add(stage.name).add(stage.hash);
    return hasher.finish();
}

std::span<const StageInfo> stage_infos() {
    return kStages;
}

BakeJob::BakeJob(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BakeJob::~BakeJob() = default;

Result<std::unique_ptr<BakeJob>> BakeJob::create(const WorldRecipe& recipe, const Imports& imports,
                                                 const BakeEnvironment& environment,
                                                 BakeTargets targets) {
    if (imports.heights) TW_TRY(world::validate(*imports.heights));
    if (imports.lines) TW_TRY(world::validate(*imports.lines));
    if (imports.edits) TW_TRY(check_ticks(*imports.edits));
    if (!imports.lines && recipe.roads_lines) TW_TRY(world::validate(*recipe.roads_lines));

    const std::vector<StageEstimate> estimates = estimate_bytes(recipe, imports, targets);
    SerialExecutor serial;
    StageContext limits(serial);
    limits.memory_limit = environment.memory_limit;
    TW_TRY(require_memory(limits, "bake", total_bytes(estimates)));

    auto impl = std::make_unique<Impl>(recipe, imports, environment);
    if (targets == BakeTargets::streets && !impl->has_roads()) {
        return Error{.code = ErrorCode::invalid_option,
                     .stage = "streets",
                     .subject = {},
                     .message = "the recipe has no roads; give roads.lines or roads.file"};
    }
    impl->plan(targets);
    return std::unique_ptr<BakeJob>(new BakeJob(std::move(impl)));
}

Result<bool> BakeJob::advance(std::uint32_t budget) {
    return impl_->advance(budget);
}
bool BakeJob::finished() const {
    return impl_->finished();
}
BakeProgress BakeJob::progress() const {
    return impl_->where();
}
const BakedWorld& BakeJob::world() const {
    return impl_->world();
}

Result<BakedWorld> bake(const WorldRecipe& recipe, const Imports& imports,
                        const BakeEnvironment& environment, BakeTargets targets) {
    TW_ASSIGN(const std::unique_ptr<BakeJob> job,
              BakeJob::create(recipe, imports, environment, targets));
    TW_TRY(job->advance(UINT32_MAX));
    return job->world();
}

}  // namespace tw::pipeline
