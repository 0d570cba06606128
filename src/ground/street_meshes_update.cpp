#include "terraway/ground/street_meshes.hpp"

#include "street_closure.hpp"
#include "street_meshes_patch.hpp"
#include "street_pieces.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tw::ground {
namespace {

using world::MeshVertexId;
using world::PieceId;
using world::StreetChanges;
using world::StreetHeights;
using world::StreetSurface;
using world::StreetVertexId;

bool all_stayed(const StreetChanges& changes) {
    if (!changes.lost.empty()) return false;
    for (std::size_t i = 0; i < changes.piece.size(); ++i) {
        if (changes.piece[i].value() != i) return false;
    }
    return true;
}

/// Says where vertices that stay are now.
class VertexPlaces {
public:
    explicit VertexPlaces(std::span<const Run> runs) : runs_(runs) {}
    std::uint32_t now(std::uint32_t vertex) {
        // One is mostly asked for near the last.
        if (last_ == runs_.size() || vertex < runs_[last_].begin || vertex >= runs_[last_].end) {
            const auto after =
                std::upper_bound(runs_.begin(), runs_.end(), vertex,
                                 [](std::uint32_t at, const Run& run) { return at < run.begin; });
            assert(after != runs_.begin() && "the vertex stays");
            last_ = static_cast<std::size_t>(after - runs_.begin()) - 1;
        }
        return runs_[last_].to + (vertex - runs_[last_].begin);
    }

private:
    std::span<const Run> runs_;
    std::size_t last_ = 0;
};

/// What is known of pieces that stayed, where they are now.
std::vector<PieceMesh> moved(std::span<const PieceMesh> before, const StreetChanges& changes) {
    std::vector<PieceMesh> out(changes.piece.size());
    VertexPlaces places(changes.vertex);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const PieceId was = changes.piece[i];
        if (!was) continue;
        out[i] = before[was.index()];
        if (out[i].own_begin == out[i].own_end) continue;
        out[i].own_begin = places.now(out[i].own_begin);
        out[i].own_end = places.now(out[i].own_end - 1) + 1;
    }
    return out;
}

/// One chunk before and now, as far as pieces have been put into it.
struct ChunkPlan {
    explicit ChunkPlan(ChunkKey key) : patch(key) {}
    ChunkPatch patch;
    ChunkArrays gaps;
    std::uint32_t vertices_before = 0, triangles_before = 0, vertices = 0, triangles = 0;

    void lose(const PieceMesh& piece) {
        vertices_before += piece.vertices;
        triangles_before += piece.triangles;
    }
    void gain(const PieceMesh& piece) {
        vertices += piece.vertices;
        triangles += piece.triangles;
    }
    void keep(const PieceMesh& piece) {
        patch.keep({vertices_before, vertices_before + piece.vertices, vertices},
                   {triangles_before, triangles_before + piece.triangles, triangles});
        lose(piece);
        gain(piece);
    }
};

/// The chunks that change.
class ChunkPlans {
public:
    explicit ChunkPlans(std::vector<ChunkKey> keys) {
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        all_.reserve(keys.size());
        for (const ChunkKey& key : keys) {
            all_.emplace_back(key);
            around_.include(place_of(key));
        }
    }
    /// Null: nothing changes there, or the piece is in no chunk.
    ChunkPlan* find(const PieceMesh& piece) {
        if (piece.triangles == 0 || !around_.contains(place_of(piece.chunk))) return nullptr;
        if (piece.chunk != last_key_) {
            last_key_ = piece.chunk;
            const auto found = std::lower_bound(
                all_.begin(), all_.end(), last_key_,
                [](const ChunkPlan& a, const ChunkKey& b) { return a.patch.key() < b; });
            last_ = found == all_.end() || found->patch.key() != last_key_ ? nullptr : &*found;
        }
        return last_;
    }
    std::vector<ChunkPatch> take() && {
        std::vector<ChunkPatch> out;
        out.reserve(all_.size());
        for (ChunkPlan& plan : all_) {
            plan.patch.fill(std::move(plan.gaps), plan.vertices, plan.triangles);
            out.push_back(std::move(plan.patch));
        }
        return out;
    }

private:
    static GridPoint place_of(const ChunkKey& key) { return {key.square.column, key.square.row}; }

    std::vector<ChunkPlan> all_;
    GridBox around_;  ///< all of them, by column and row: most pieces lie outside
    ChunkKey last_key_{.surface = kStreetSurfaces.size(), .square = {}};
    ChunkPlan* last_ = nullptr;
};

/// Puts pieces that were emitted behind what stands in their chunks.
class PieceWriter {
public:
    PieceWriter(const StreetSurface& streets, const StreetHeights& heights,
                const Emission& emission)
        : streets_(streets), heights_(heights), emission_(emission) {}
    /// False: a vertex is out of reach.
    bool write(std::size_t emitted, ChunkPlan& plan) const {
        const GridPoint origin = plan.patch.key().square.origin();
        ChunkArrays& out = plan.gaps;
        for (const StreetVertexId vertex : emission_.vertices(emitted)) {
            const SurfacePoint point = point_at(streets_, heights_, vertex);
            if (!within_reach(point, origin)) return false;
            out.position.push_back(
                {point.plan.x - origin.x, point.plan.y - origin.y, point.height});
        }
        const auto at = [](std::uint32_t i) { return static_cast<std::ptrdiff_t>(i); };
        const auto normal = emission_.normal.begin();
        out.normal.insert(out.normal.end(), normal + at(emission_.vertex_begin[emitted]),
                          normal + at(emission_.vertex_begin[emitted + 1]));
        out.rgba.resize(out.position.size(), colour_of(streets_, emission_.piece[emitted]));
        for (std::uint32_t t = emission_.triangle_begin[emitted];
             t < emission_.triangle_begin[emitted + 1]; ++t) {
            const auto& own = emission_.triangle[t];
            out.triangle.push_back({MeshVertexId(plan.vertices + own[0]),
                                    MeshVertexId(plan.vertices + own[1]),
                                    MeshVertexId(plan.vertices + own[2])});
        }
        return true;
    }

private:
    const StreetSurface& streets_;
    const StreetHeights& heights_;
    const Emission& emission_;
};

std::vector<ChunkKey> street_chunks(const world::GroundMeshes& meshes) {
    std::vector<ChunkKey> out;
    for (const world::NamedSurface& surface : meshes.surface) {
        const auto found = std::find(kStreetSurfaces.begin(), kStreetSurfaces.end(), surface.name);
        if (found == kStreetSurfaces.end()) continue;
        const auto index = static_cast<std::uint32_t>(found - kStreetSurfaces.begin());
        for (const world::MeshChunk& chunk : surface.chunk) {
            out.push_back({index, square_at(chunk.origin)});
        }
    }
    return out;
}

/// True if the chunks are as large as the pieces make them: meshes may come from a file.
bool fits(std::span<const PieceMesh> pieces, const world::GroundMeshes& meshes) {
    struct Size {
        ChunkKey chunk;
        std::uint64_t vertices = 0, triangles = 0;
    };
    std::vector<Size> sizes;
    for (const PieceMesh& piece : pieces) {
        if (piece.triangles == 0) continue;
        if (sizes.empty() || sizes.back().chunk != piece.chunk) sizes.push_back({piece.chunk});
        sizes.back().vertices += piece.vertices;
        sizes.back().triangles += piece.triangles;
    }
    std::sort(sizes.begin(), sizes.end(),
              [](const Size& a, const Size& b) { return a.chunk < b.chunk; });
    std::size_t next = 0, chunks = 0;
    for (std::size_t name = 0; name < kStreetSurfaces.size(); ++name) {
        for (const world::NamedSurface& surface : meshes.surface) {
            if (surface.name != kStreetSurfaces[name]) continue;
            for (const world::MeshChunk& chunk : surface.chunk) {
                const ChunkKey key{static_cast<std::uint32_t>(name), square_at(chunk.origin)};
                std::uint64_t vertices = 0, triangles = 0;
                for (; next < sizes.size() && sizes[next].chunk == key; ++next) {
                    vertices += sizes[next].vertices;
                    triangles += sizes[next].triangles;
                }
                if (chunk.position.size() != vertices || chunk.normal.size() != vertices ||
                    chunk.rgba.size() != vertices || chunk.triangle.size() != triangles ||
                    vertices == 0) {
                    return false;
                }
                ++chunks;
            }
        }
    }
    return next == sizes.size() && chunks == street_chunks(meshes).size();
}

}  // namespace

class StreetMeshUpdate::Impl {
public:
    Status learn(const StreetSurface& streets, const world::GroundMeshes& meshes) {
        if (pieces_) return ok_status();
        PieceMeshes pieces = closure_.describe_all(streets);
        if (!fits(*pieces, meshes)) {
            return Error{.code = ErrorCode::check_failed,
                         .stage = "meshes",
                         .subject = {},
                         .message =
                             "the street surfaces are not of these streets; bake the world "
                             "again"};
        }
        pieces_ = std::move(pieces);
        return ok_status();
    }
    Result<std::shared_ptr<StreetMeshPatch>> run(const StreetSurface& streets,
                                                 const StreetHeights& heights,
                                                 const StreetChanges& changes,
                                                 std::span<const StreetVertexId> raised,
                                                 world::GroundMeshes& meshes) {
        auto patch = std::make_shared<StreetMeshPatch>();
        patch->same_pieces = all_stayed(changes);
        if (patch->same_pieces) TW_TRY(learn(streets, meshes));
        closure_.begin(streets);
        std::vector<PieceMesh> now;
        if (!patch->same_pieces) now = take_over(streets, changes);
        closure_.add_raised(streets, patch->same_pieces ? *pieces_ : now, raised);
        const Emission& emission = closure_.emit(streets, heights);
        if (!patch->same_pieces) {
            for (std::size_t i = 0; i < emission.piece.size(); ++i) {
                PieceMesh& piece = now[emission.piece[i].index()];
                const std::uint32_t joins = piece.joins;
                piece = closure_.describe(streets, i);
                piece.joins = joins;
            }
        }
        const std::span<const PieceMesh> pieces = patch->same_pieces ? *pieces_ : now;
        ChunkPlans plans(changed_chunks(emission, pieces, changes, meshes));
        if (!fill(plans, PieceWriter(streets, heights, emission), emission, pieces, changes)) {
            return too_far_error();
        }
        patch->chunk = std::move(plans).take();
        if (!patch->same_pieces) patch->piece = std::move(now);
        patch->swap(meshes, pieces_);
        return patch;
    }
    void swap(StreetMeshPatch& step, world::GroundMeshes& meshes) { step.swap(meshes, pieces_); }

private:
    /// What is known of the pieces before, by piece now; adds those of which nothing is, and those
    /// that lost a neighbour.
    std::vector<PieceMesh> take_over(const StreetSurface& streets, const StreetChanges& changes) {
        std::vector<PieceMesh> now =
            pieces_ ? moved(*pieces_, changes) : std::vector<PieceMesh>(streets.piece_count());
        count_joins(streets, joins_);
        for (const PieceId piece : streets.kind.ids()) {
            PieceMesh& mesh = now[piece.index()];
            if (!pieces_ || !changes.piece[piece.index()] || mesh.joins != joins_[piece.index()]) {
                closure_.add(piece);
            }
            mesh.joins = joins_[piece.index()];
        }
        return now;
    }
    std::vector<ChunkKey> changed_chunks(const Emission& emission, std::span<const PieceMesh> now,
                                         const StreetChanges& changes,
                                         const world::GroundMeshes& meshes) const {
        std::vector<ChunkKey> out;
        const auto add = [&](const PieceMesh& piece) {
            if (piece.triangles > 0 && (out.empty() || out.back() != piece.chunk)) {
                out.push_back(piece.chunk);
            }
        };
        if (pieces_) {
            for (const PieceId piece : changes.lost) add((*pieces_)[piece.index()]);
        } else {
            out = street_chunks(meshes);
        }
        for (const PieceId piece : emission.piece) add(now[piece.index()]);
        return out;
    }
    /// Goes over pieces before and now, which keep their order. False: one is out of reach.
    bool fill(ChunkPlans& plans, const PieceWriter& writer, const Emission& emission,
              std::span<const PieceMesh> now, const StreetChanges& changes) const {
        std::size_t before = 0, emitted = 0;
        const auto lose_up_to = [&](std::size_t end) {
            for (; before < end; ++before) {
                const PieceMesh& piece = (*pieces_)[before];
                if (ChunkPlan* plan = plans.find(piece)) plan->lose(piece);
            }
        };
        for (std::size_t i = 0; i < now.size(); ++i) {
            const PieceId was = pieces_ ? changes.piece[i] : PieceId();
            const bool is_emitted =
                emitted < emission.piece.size() && emission.piece[emitted].index() == i;
            if (was) lose_up_to(was.index());
            ChunkPlan* plan = plans.find(now[i]);
            if (plan && !is_emitted) plan->keep(now[i]);
            if (plan && is_emitted) {
                if (!writer.write(emitted, *plan)) return false;
                if (was) plan->lose(now[i]);
                plan->gain(now[i]);
            }
            if (was) before = was.index() + 1;
            if (is_emitted) ++emitted;
        }
        if (pieces_) lose_up_to(pieces_->size());
        return true;
    }

    PieceMeshes pieces_;  ///< of the meshes as they are
    StreetClosure closure_;
    std::vector<std::uint32_t> joins_;  ///< by piece
};

StreetMeshUpdate::StreetMeshUpdate() : impl_(std::make_unique<Impl>()) {}
StreetMeshUpdate::~StreetMeshUpdate() = default;

Status StreetMeshUpdate::learn(const StreetSurface& streets, const world::GroundMeshes& meshes) {
    return impl_->learn(streets, meshes);
}

Result<std::shared_ptr<StreetMeshPatch>> StreetMeshUpdate::run(
    const StreetSurface& streets, const StreetHeights& heights, const StreetChanges& changes,
    std::span<const StreetVertexId> raised, world::GroundMeshes& meshes) {
    return impl_->run(streets, heights, changes, raised, meshes);
}

void StreetMeshUpdate::swap(StreetMeshPatch& step, world::GroundMeshes& meshes) {
    impl_->swap(step, meshes);
}

std::vector<StreetMeshUpdate::Chunk> StreetMeshUpdate::chunks_of(const StreetMeshPatch& step) {
    std::vector<Chunk> out;
    out.reserve(step.chunk.size());
    for (const ChunkPatch& chunk : step.chunk) {
        out.push_back({kStreetSurfaces[chunk.key().surface], chunk.key().square.origin()});
    }
    return out;
}

}  // namespace tw::ground
