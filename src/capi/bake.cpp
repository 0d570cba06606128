#include "terraway/pipeline/bake.hpp"

#include "terraway/core/thread_pool.hpp"
#include "terraway/recipe/blob.hpp"
#include "terraway/recipe/glb.hpp"
#include "terraway/recipe/recipe.hpp"

#include "arrays.hpp"
#include "terraway.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>

namespace tw::capi {
namespace {

std::int32_t code_of(const Error& error) {
    return static_cast<std::int32_t>(error.code) + 1;
}
static_assert(static_cast<int>(ErrorCode::invalid_option) + 1 == TW_INVALID_OPTION);
static_assert(static_cast<int>(ErrorCode::check_failed) + 1 == TW_CHECK_FAILED);

/// True if the caller's struct is one of this version's: every member that we touch is there.
template <class Struct>
bool fits(const Struct* given) {
    return given && given->size >= sizeof(Struct);
}

std::string_view text_of(const char* text, std::uint64_t length) {
    return text ? std::string_view(text, static_cast<std::size_t>(length)) : std::string_view();
}
std::span<const std::byte> bytes_of(const void* data, std::uint64_t length) {
    if (!data) return {};
    return {static_cast<const std::byte*>(data), static_cast<std::size_t>(length)};
}

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

std::unique_ptr<Executor> make_executor([[maybe_unused]] std::uint32_t threads) {
#ifdef TERRAWAY_THREADS
    if (threads > 1) return std::make_unique<ThreadPool>(threads);
#endif
    return std::make_unique<SerialExecutor>();
}

}  // namespace
}  // namespace tw::capi

/// The handle: a job and what was asked of it.
struct tw_bake {
    std::unique_ptr<tw::Executor> executor;
    tw::CancelFlag cancel;
    std::unique_ptr<tw::pipeline::BakeJob> job;  ///< null after an error in the recipe
    std::string title;
    std::optional<tw::Error> error;
    std::deque<std::string> stage_names;      ///< appended only: callers hold views of them
    std::deque<tw::capi::NamedArray> arrays;  ///< of the stages that have run; appended only
    std::vector<std::pair<const tw::world::NamedSurface*, const tw::world::MeshChunk*>> chunks;
    tw::world::Bytes glb;  ///< made when it is first asked for

    std::int32_t fail(tw::Error failed) {
        error = std::move(failed);
        return tw::capi::code_of(*error);
    }
    tw::Status prepare(const tw_bake_options& options);
    /// Takes up what the last slice has made.
    void list();
};

using namespace tw;
using namespace tw::capi;

Status tw_bake::prepare(const tw_bake_options& options) {
    const std::vector<std::string> overrides =
        split_lines(text_of(options.overrides, options.overrides_length));
    TW_ASSIGN(
        const recipe::Recipe recipe,
        recipe::parse_recipe(text_of(options.recipe, options.recipe_length), "recipe", overrides));
    TW_ASSIGN(const pipeline::Imports imports, read_blobs(options));
    TW_TRY(recipe::require_data(recipe, imports));
    title = recipe.name;

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
    for (const world::NamedSurface& surface : job->world().meshes->surface) {
        for (const world::MeshChunk& chunk : surface.chunk) chunks.emplace_back(&surface, &chunk);
    }
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
    *length = 0;
    if (!bake->error) return TW_OK;
    const std::string message = to_string(*bake->error);
    *length = message.size();
    std::copy_n(message.data(), std::min<std::uint64_t>(capacity, message.size()), text);
    return code_of(*bake->error);
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
    const NamedArray& found = bake->arrays[index];
    array->type = found.type;
    array->components = found.components;
    array->count = found.count;
    array->data = found.data;
    array->name = found.name.data();
    array->name_length = found.name.size();
    return TW_OK;
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
    if (index >= bake->chunks.size()) return TW_NOT_FOUND;
    const auto& [surface, chunk] = bake->chunks[index];
    static_assert(sizeof(Vec3f) == 12 && sizeof(std::array<world::MeshVertexId, 3>) == 12);
    mesh->origin_x = chunk->origin.x;
    mesh->origin_y = chunk->origin.y;
    mesh->surface = surface->name.data();
    mesh->surface_length = surface->name.size();
    mesh->vertex_count = chunk->position.size();
    mesh->position = reinterpret_cast<const std::int32_t*>(chunk->position.span().data());
    mesh->normal = reinterpret_cast<const float*>(chunk->normal.span().data());
    mesh->rgba = reinterpret_cast<const std::uint8_t*>(chunk->rgba.span().data());
    mesh->triangle_count = chunk->triangle.size();
    mesh->triangle = reinterpret_cast<const std::uint32_t*>(chunk->triangle.span().data());
    return TW_OK;
}

int32_t tw_bake_glb(tw_bake* bake, void* buffer, uint64_t capacity, uint64_t* length) {
    if (!bake || !bake->job || !length || (!buffer && capacity > 0)) return TW_MISUSE;
    *length = 0;
    if (!bake->job->finished() || !bake->job->world().meshes) return TW_MISUSE;
    if (bake->glb.empty()) {
        Result<world::Bytes> glb =
            recipe::to_glb(*bake->job->world().meshes, {.title = bake->title, .extras = {}});
        if (!glb) return bake->fail(std::move(glb).error());
        bake->glb = std::move(glb).value();
    }
    *length = bake->glb.size();
    if (!buffer) return TW_OK;
    if (capacity < bake->glb.size()) return TW_TOO_LARGE;
    std::memcpy(buffer, bake->glb.data(), bake->glb.size());
    return TW_OK;
}

}  // extern "C"
