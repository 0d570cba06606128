#include "street_meshes_patch.hpp"

#include "street_pieces.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tw::ground {
namespace {

using world::MeshChunk;
using world::MeshVertexId;
using world::NamedSurface;

/// True if the next run goes on where this one ends, on both sides.
bool goes_on(const Run& run, const Run& next) {
    return next.begin == run.end && next.to == run.to + (run.end - run.begin);
}

/// The place of a surface among all; streets stand behind the others.
std::size_t place_of(const world::GroundMeshes& meshes, std::uint32_t surface) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < meshes.surface.size(); ++i) {
        const auto begin = kStreetSurfaces.begin(), end = begin + surface;
        const auto all = kStreetSurfaces.end();
        const std::string& name = meshes.surface[i].name;
        if (std::find(begin, end, name) != end || std::find(begin, all, name) == all) place = i + 1;
    }
    return place;
}

void swap_chunk(ChunkPatch& patch, world::GroundMeshes& meshes) {
    const ChunkKey& key = patch.key();
    const std::string_view name = kStreetSurfaces[key.surface];
    const std::size_t place = place_of(meshes, key.surface);
    auto surface = meshes.surface.begin() + static_cast<std::ptrdiff_t>(place);
    if (surface == meshes.surface.end() || surface->name != name) {
        surface = meshes.surface.insert(surface, NamedSurface{std::string(name), {}});
    }
    std::vector<MeshChunk>& all = surface->chunk;
    auto chunk = std::lower_bound(
        all.begin(), all.end(), key.square,
        [](const MeshChunk& a, const Square& b) { return square_at(a.origin) < b; });
    if (chunk == all.end() || square_at(chunk->origin) != key.square) {
        chunk = all.insert(chunk, MeshChunk());
        chunk->origin = key.square.origin();
    }
    patch.swap(*chunk);
    if (chunk->triangle.empty()) all.erase(chunk);
    if (all.empty()) meshes.surface.erase(surface);
}

}  // namespace

void ChunkPatch::keep(const Run& vertex, const Run& triangle) {
    if (!vertex_.empty() && goes_on(vertex_.back(), vertex) &&
        goes_on(triangle_.back(), triangle)) {
        vertex_.back().end = vertex.end;
        triangle_.back().end = triangle.end;
        return;
    }
    vertex_.push_back(vertex);
    triangle_.push_back(triangle);
}

void ChunkPatch::fill(ChunkArrays gaps, std::size_t vertices, std::size_t triangles) {
    vertices_ = vertices;
    triangles_ = triangles;
    gaps_.position = decltype(gaps_.position)(std::move(gaps.position));
    gaps_.normal = decltype(gaps_.normal)(std::move(gaps.normal));
    gaps_.rgba = decltype(gaps_.rgba)(std::move(gaps.rgba));
    gaps_.triangle = decltype(gaps_.triangle)(std::move(gaps.triangle));
}

void ChunkPatch::splice_chunk(MeshChunk& chunk) {
    splice(chunk.position, vertex_, vertices_, gaps_.position);
    splice(chunk.normal, vertex_, vertices_, gaps_.normal);
    splice(chunk.rgba, vertex_, vertices_, gaps_.rgba);
    splice(chunk.triangle, triangle_, triangles_, gaps_.triangle);
    for (std::size_t i = 0; i < vertex_.size(); ++i) {
        const std::uint32_t shift = vertex_[i].to - vertex_[i].begin;
        if (shift == 0) continue;
        const Run& run = triangle_[i];
        for (auto& triangle : chunk.triangle.edit_range(run.to, run.to + (run.end - run.begin))) {
            for (MeshVertexId& vertex : triangle) vertex = MeshVertexId(vertex.value() + shift);
        }
    }
    invert(vertex_);
    invert(triangle_);
}

void ChunkPatch::swap(MeshChunk& chunk) {
    const std::size_t vertices = chunk.position.size(), triangles = chunk.triangle.size();
    if (vertex_.empty()) {
        const auto exchange = [&](auto... field) { (std::swap(chunk.*field, gaps_.*field), ...); };
        exchange(&MeshChunk::position, &MeshChunk::normal, &MeshChunk::rgba, &MeshChunk::triangle);
    } else {
        splice_chunk(chunk);
    }
    vertices_ = vertices;
    triangles_ = triangles;
}

void StreetMeshPatch::swap(world::GroundMeshes& meshes, PieceMeshes& pieces) {
    for (ChunkPatch& each : chunk) swap_chunk(each, meshes);
    if (!same_pieces) std::swap(pieces, piece);
}

}  // namespace tw::ground
