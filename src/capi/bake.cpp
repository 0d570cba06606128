#include "bake.hpp"

#include "terraway/recipe/blob.hpp"
#include "terraway/recipe/glb.hpp"

#include <algorithm>

namespace tw::capi {
namespace {

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (end > 0) lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

Result<pipeline::Imports> read_blobs(const tw_bake_options& options) {
    pipeline::Imports imports;
    if (options.heights_length > 0) {
        TW_ASSIGN(world::ImportedHeights heights,
                  recipe::heights_from_blob(bytes_of(options.heights, options.heights_length)));
        imports.heights = std::make_shared<const world::ImportedHeights>(std::move(heights));
    }
    if (options.lines_length > 0) {
        TW_ASSIGN(world::ImportedLines lines,
                  recipe::lines_from_blob(bytes_of(options.lines, options.lines_length)));
        imports.lines = std::make_shared<const world::ImportedLines>(std::move(lines));
    }
    return imports;
}

}  // namespace
}  // namespace tw::capi

using namespace tw;
using namespace tw::capi;

Status tw_bake::prepare(const tw_bake_options& options) {
    const std::vector<std::string> overrides =
        split_lines(text_of(options.overrides, options.overrides_length));
    TW_ASSIGN(recipe, recipe::parse_recipe(text_of(options.recipe, options.recipe_length), "recipe",
                                           overrides));
    TW_ASSIGN(const pipeline::Imports imports, read_blobs(options));
    TW_TRY(recipe::require_data(recipe, imports));

    executor = make_executor(options.threads);
    pipeline::BakeEnvironment environment;
    environment.executor = executor.get();
    environment.cancel = &cancel;
    if (options.memory_limit > 0) environment.memory_limit = options.memory_limit;
    const auto targets = options.target == TW_TARGET_STREETS ? pipeline::BakeTargets::streets
                                                             : pipeline::BakeTargets::world;
    TW_ASSIGN(job, pipeline::BakeJob::create(recipe.world, imports, environment, targets));
    return ok_status();
}

void tw_bake::list() {
    // Stages run in the order of the list, so what is new stands at its end.
    std::vector<NamedArray> all = list_arrays(job->world());
    for (std::size_t i = arrays.size(); i < all.size(); ++i) arrays.push_back(std::move(all[i]));
    const auto& stages = job->world().stages;
    for (std::size_t i = stage_names.size(); i < stages.size(); ++i) {
        stage_names.push_back(stages[i].name);
    }
    if (!chunks.empty() || !job->world().meshes) return;
    chunks = list_chunks(*job->world().meshes);
}

extern "C" {

uint32_t tw_abi_version(void) {
    return TW_ABI_VERSION;
}

int32_t tw_bake_create(const tw_bake_options* options, tw_bake** bake) {
    if (!bake) return TW_MISUSE;
    *bake = nullptr;
    if (!fits(options) || options->target > TW_TARGET_STREETS) return TW_MISUSE;
    auto handle = std::make_unique<tw_bake>();
    const Status status = handle->prepare(*options);
    const std::int32_t code = status ? TW_OK : handle->fail(status.error());
    *bake = handle.release();
    return code;
}

void tw_bake_free(tw_bake* bake) {
    delete bake;
}

int32_t tw_bake_advance(tw_bake* bake, uint32_t budget, uint32_t* finished) {
    if (!bake || !bake->job || !finished) return TW_MISUSE;
    *finished = 0;
    const Result<bool> done = bake->job->advance(budget);
    bake->list();
    if (!done) return bake->fail(done.error());
    *finished = *done ? 1 : 0;
    return TW_OK;
}

int32_t tw_bake_cancel(tw_bake* bake) {
    if (!bake) return TW_MISUSE;
    bake->cancel.cancel();
    return TW_OK;
}

int32_t tw_bake_progress(const tw_bake* bake, tw_progress* progress) {
    if (!bake || !bake->job || !fits(progress)) return TW_MISUSE;
    const pipeline::BakeProgress where = bake->job->progress();
    progress->fraction = where.fraction;
    progress->stage = where.stage.data();
    progress->stage_length = where.stage.size();
    return TW_OK;
}

int32_t tw_bake_error(const tw_bake* bake, char* text, uint64_t capacity, uint64_t* length) {
    if (!bake || !length || (!text && capacity > 0)) return TW_MISUSE;
    return tell_error(bake->error, text, capacity, length);
}

int32_t tw_bake_stage_count(const tw_bake* bake, uint32_t* count) {
    if (!bake || !bake->job || !count) return TW_MISUSE;
    *count = static_cast<std::uint32_t>(bake->job->world().stages.size());
    return TW_OK;
}

int32_t tw_bake_stage(const tw_bake* bake, uint32_t index, tw_stage* stage) {
    if (!bake || !bake->job || !fits(stage)) return TW_MISUSE;
    const auto& stages = bake->job->world().stages;
    if (index >= stages.size()) return TW_NOT_FOUND;
    stage->hash = stages[index].hash;
    stage->name = bake->stage_names[index].data();
    stage->name_length = bake->stage_names[index].size();
    return TW_OK;
}

int32_t tw_bake_hash(const tw_bake* bake, uint64_t* hash) {
    if (!bake || !bake->job || !hash || !bake->job->finished()) return TW_MISUSE;
    *hash = bake->job->world().hash;
    return TW_OK;
}

int32_t tw_bake_array_count(const tw_bake* bake, uint32_t* count) {
    if (!bake || !count) return TW_MISUSE;
    *count = static_cast<std::uint32_t>(bake->arrays.size());
    return TW_OK;
}

int32_t tw_bake_array(const tw_bake* bake, uint32_t index, tw_array* array) {
    if (!bake || !fits(array)) return TW_MISUSE;
    if (index >= bake->arrays.size()) return TW_NOT_FOUND;
    return tell_array(bake->arrays[index], array);
}

int32_t tw_bake_find_array(const tw_bake* bake, const char* name, uint64_t name_length,
                           tw_array* array) {
    if (!bake || !name || !fits(array)) return TW_MISUSE;
    const auto found =
        std::ranges::find(bake->arrays, text_of(name, name_length), &NamedArray::name);
    return tw_bake_array(bake, static_cast<std::uint32_t>(found - bake->arrays.begin()), array);
}

int32_t tw_bake_mesh_count(const tw_bake* bake, uint32_t* count) {
    if (!bake || !count) return TW_MISUSE;
    *count = static_cast<std::uint32_t>(bake->chunks.size());
    return TW_OK;
}

int32_t tw_bake_mesh(const tw_bake* bake, uint32_t index, tw_mesh* mesh) {
    if (!bake || !fits(mesh)) return TW_MISUSE;
    return tell_mesh(bake->chunks, index, mesh);
}

int32_t tw_bake_glb(tw_bake* bake, void* buffer, uint64_t capacity, uint64_t* length) {
    if (!bake || !bake->job || !length || (!buffer && capacity > 0)) return TW_MISUSE;
    *length = 0;
    if (!bake->job->finished() || !bake->job->world().meshes) return TW_MISUSE;
    if (bake->glb.empty()) {
        Result<world::Bytes> glb =
            recipe::to_glb(*bake->job->world().meshes, {.title = bake->recipe.name, .extras = {}});
        if (!glb) return bake->fail(std::move(glb).error());
        bake->glb = std::move(glb).value();
    }
    return tell_bytes(bake->glb, buffer, capacity, length);
}

}  // extern "C"
