#include "terraway/pipeline/session.hpp"

#include "terraway/recipe/edits.hpp"
#include "terraway/recipe/world_file.hpp"

#include "bake.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// The handle: a session, and what of it was asked for since its last step.
struct tw_session {
    std::unique_ptr<tw::Executor> executor;
    std::string recipe;                              ///< its text, for saving
    std::unique_ptr<tw::pipeline::Session> session;  ///< null after an error in what it is made of
    std::optional<tw::Error> error;
    std::vector<std::uint64_t> rolling{0};  ///< hash of the first i edits
    tw::capi::ChunkList chunks;
    std::vector<tw::capi::NamedArray> arrays;  ///< empty: to be listed
    tw::world::Bytes saved;                    ///< empty: to be made

    std::int32_t fail(tw::Error failed) {
        error = std::move(failed);
        return tw::capi::code_of(*error);
    }
    tw::Status begin(const tw::recipe::Recipe& from, tw::pipeline::BakedWorld world,
                     const tw_session_options& options);
    tw::Status load(std::span<const std::byte> bytes, const tw_session_options& options);
    /// Takes up what a step did.
    std::int32_t step(tw::Status done);
    /// Brings `rolling` to the length of the history.
    void catch_up();
    std::span<const tw::capi::NamedArray> list();
    tw::Status save();
};

using namespace tw;
using namespace tw::capi;

Status tw_session::begin(const recipe::Recipe& from, pipeline::BakedWorld world,
                         const tw_session_options& options) {
    pipeline::SessionOptions given;
    given.executor = executor.get();
    if (options.undo_steps > 0) given.undo_steps = static_cast<std::size_t>(options.undo_steps);
    recipe = recipe::to_text(from);
    TW_ASSIGN(session, pipeline::Session::create(from.world, std::move(world), given));
    chunks = list_chunks(session->meshes());
    catch_up();
    return ok_status();
}

Status tw_session::load(std::span<const std::byte> bytes, const tw_session_options& options) {
    StageContext context(*executor);
    if (options.memory_limit > 0) context.memory_limit = options.memory_limit;
    TW_ASSIGN(recipe::WorldFile file, recipe::read_world_file(bytes, context));
    TW_ASSIGN(const recipe::Recipe from, recipe::parse_recipe(file.recipe, "world.tw"));
    return begin(from, std::move(file.world), options);
}

std::int32_t tw_session::step(Status done) {
    if (!done) return fail(std::move(done).error());
    arrays.clear();
    saved.clear();
    if (session->changes().streets) chunks = list_chunks(session->meshes());
    catch_up();
    return TW_OK;
}

void tw_session::catch_up() {
    const std::span<const world::Edit> edits = session->edits().edit;
    rolling.resize(std::min(rolling.size(), edits.size() + 1));
    while (rolling.size() <= edits.size()) {
        rolling.push_back(recipe::rolled(rolling.back(), edits[rolling.size() - 1]));
    }
}

std::span<const NamedArray> tw_session::list() {
    if (arrays.empty()) arrays = list_arrays(session->world());
    return arrays;
}

Status tw_session::save() {
    if (!saved.empty()) return ok_status();
    StageContext context(*executor);
    TW_ASSIGN(saved,
              recipe::write_world_file({.recipe = recipe, .world = session->world()}, context));
    return ok_status();
}

namespace {

/// A new handle with what `fill(handle, options)` puts into it.
template <class Fill>
std::int32_t make_session(const tw_session_options* options, tw_session** session, Fill fill) {
    if (options && !fits(options)) return TW_MISUSE;
    tw_session_options given{};
    if (options) given = *options;
    auto handle = std::make_unique<tw_session>();
    handle->executor = make_executor(given.threads);
    const Status status = fill(*handle, given);
    const std::int32_t code = status ? TW_OK : handle->fail(status.error());
    *session = handle.release();
    return code;
}

bool is_open(const tw_session* session) {
    return session && session->session;
}

template <class Tag>
std::int32_t tell_ids(const std::vector<Id<Tag>>& ids, tw_ids* out) {
    static_assert(sizeof(Id<Tag>) == sizeof(std::uint32_t));
    out->count = ids.size();
    out->id = reinterpret_cast<const std::uint32_t*>(ids.data());
    return TW_OK;
}

}  // namespace

extern "C" {

int32_t tw_session_from_bake(const tw_bake* bake, const tw_session_options* options,
                             tw_session** session) {
    if (!session) return TW_MISUSE;
    *session = nullptr;
    if (!bake || !bake->job || !bake->job->finished() || !bake->job->world().meshes)
        return TW_MISUSE;
    return make_session(options, session, [bake](tw_session& handle, const auto& given) {
        return handle.begin(bake->recipe, bake->job->world(), given);
    });
}

int32_t tw_session_load(const void* bytes, uint64_t length, const tw_session_options* options,
                        tw_session** session) {
    if (!session) return TW_MISUSE;
    *session = nullptr;
    if (!bytes && length > 0) return TW_MISUSE;
    return make_session(options, session, [&](tw_session& handle, const auto& given) {
        return handle.load(bytes_of(bytes, length), given);
    });
}

void tw_session_free(tw_session* session) {
    delete session;
}

int32_t tw_session_error(const tw_session* session, char* text, uint64_t capacity,
                         uint64_t* length) {
    if (!session || !length || (!text && capacity > 0)) return TW_MISUSE;
    return tell_error(session->error, text, capacity, length);
}

int32_t tw_session_save(tw_session* session, void* buffer, uint64_t capacity, uint64_t* length) {
    if (!is_open(session) || !length || (!buffer && capacity > 0)) return TW_MISUSE;
    *length = 0;
    const Status saved = session->save();
    if (!saved) return session->fail(saved.error());
    return tell_bytes(session->saved, buffer, capacity, length);
}

int32_t tw_session_apply(tw_session* session, const char* lines, uint64_t length) {
    if (!is_open(session) || (!lines && length > 0)) return TW_MISUSE;
    const auto& before = session->session->edits().edit;
    auto edits = recipe::parse_edit_lines(
        text_of(lines, length), "edits",
        {.tick = before.empty() ? 0 : before.back().tick, .rolling = session->rolling.back()});
    if (!edits) return session->fail(std::move(edits).error());
    return session->step(session->session->apply(edits->edit));
}

int32_t tw_session_undo(tw_session* session) {
    return is_open(session) ? session->step(session->session->undo()) : TW_MISUSE;
}

int32_t tw_session_redo(tw_session* session) {
    return is_open(session) ? session->step(session->session->redo()) : TW_MISUSE;
}

int32_t tw_session_hash(tw_session* session, uint64_t* hash) {
    if (!is_open(session) || !hash) return TW_MISUSE;
    *hash = session->session->hash();
    return TW_OK;
}

int32_t tw_session_changed_cells(const tw_session* session, tw_ids* cells) {
    if (!is_open(session) || !fits(cells)) return TW_MISUSE;
    return tell_ids(session->session->changes().cells, cells);
}

int32_t tw_session_changed_squares(const tw_session* session, tw_ids* squares) {
    if (!is_open(session) || !fits(squares)) return TW_MISUSE;
    return tell_ids(session->session->changes().squares, squares);
}

int32_t tw_session_changed_roads(const tw_session* session, uint32_t* changed) {
    if (!is_open(session) || !changed) return TW_MISUSE;
    *changed = session->session->changes().streets;
    return TW_OK;
}

int32_t tw_session_mesh_change_count(const tw_session* session, uint32_t* count) {
    if (!is_open(session) || !count) return TW_MISUSE;
    *count = static_cast<std::uint32_t>(session->session->changes().meshes.size());
    return TW_OK;
}

int32_t tw_session_mesh_change(const tw_session* session, uint32_t index, tw_mesh_change* change) {
    if (!is_open(session) || !fits(change)) return TW_MISUSE;
    if (index >= session->session->changes().meshes.size()) return TW_NOT_FOUND;
    const pipeline::MeshRange& range = session->session->changes().meshes[index];
    const auto first = std::ranges::find_if(
        session->chunks, [&](const auto& chunk) { return chunk.first->name == range.surface; });
    change->mesh = static_cast<std::uint32_t>(first - session->chunks.begin()) + range.chunk;
    change->surface = range.surface.data();
    change->surface_length = range.surface.size();
    change->chunk = range.chunk;
    change->resized = range.resized;
    change->vertex_begin = range.vertex_begin;
    change->vertex_end = range.vertex_end;
    change->triangle_begin = range.triangle_begin;
    change->triangle_end = range.triangle_end;
    return TW_OK;
}

int32_t tw_session_mesh_count(const tw_session* session, uint32_t* count) {
    if (!is_open(session) || !count) return TW_MISUSE;
    *count = static_cast<std::uint32_t>(session->chunks.size());
    return TW_OK;
}

int32_t tw_session_mesh(const tw_session* session, uint32_t index, tw_mesh* mesh) {
    if (!is_open(session) || !fits(mesh)) return TW_MISUSE;
    return tell_mesh(session->chunks, index, mesh);
}

int32_t tw_session_array_count(tw_session* session, uint32_t* count) {
    if (!is_open(session) || !count) return TW_MISUSE;
    *count = static_cast<std::uint32_t>(session->list().size());
    return TW_OK;
}

int32_t tw_session_array(tw_session* session, uint32_t index, tw_array* array) {
    if (!is_open(session) || !fits(array)) return TW_MISUSE;
    const auto arrays = session->list();
    return index < arrays.size() ? tell_array(arrays[index], array) : TW_NOT_FOUND;
}

int32_t tw_session_find_array(tw_session* session, const char* name, uint64_t name_length,
                              tw_array* array) {
    if (!is_open(session) || !name || !fits(array)) return TW_MISUSE;
    const auto arrays = session->list();
    const auto found = std::ranges::find(arrays, text_of(name, name_length), &NamedArray::name);
    return found != arrays.end() ? tell_array(*found, array) : TW_NOT_FOUND;
}

}  // extern "C"
