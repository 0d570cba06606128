#include "meshes_water.hpp"

#include "meshes_colour.hpp"

#include <algorithm>
#include <array>

namespace tw::ground {
namespace {

using world::Biome;
using world::CellId;
using world::CornerId;
using world::Drainage;
using world::MeshChunk;
using world::MeshTriangleId;
using world::MeshVertexId;
using world::PolygonMap;
using world::SideId;
using world::Water;

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr Steps kLakeFilm = 128;  ///< [steps] of a lake over its filled bed

template <class Array, class T>
void write_over(Array& to, const std::vector<T>& from) {
    to.resize(from.size());
    for (const auto id : to.ids()) to.set(id, from[id.index()]);
}

template <class Array, class T>
void fill_over(Array& to, std::size_t size, const T& value) {
    to.resize(size, value);
    for (const auto id : to.ids()) to.set(id, value);
}

}  // namespace

/// Collects cells of water at their levels, then writes them over a chunk.
class WaterMaker::Filler {
public:
    Filler(const PolygonMap& map, WaterScratch& scratch, GridPoint origin, Biome biome)
        : map_(map),
          newest_(scratch.newest),
          uses_(scratch.use),
          position_(scratch.position),
          triangle_(scratch.triangle),
          origin_(origin),
          rgba_(Colour::from_rgb(world::look_of(biome).rgb).rgba()) {
        uses_.clear();
        position_.clear();
        triangle_.clear();
    }
    void add(CellId cell, Steps level) {
        const MeshVertexId site = add_vertex(map_.site[cell], level);
        for (const SideId side : map_.sides(cell)) {
            const MeshVertexId from = corner_vertex(map_.corner[side], level);
            const MeshVertexId to = corner_vertex(map_.end_corner(side), level);
            triangle_.push_back({site, from, to});
        }
    }
    void write(MeshChunk& chunk) {
        for (const WaterScratch::Use& use : uses_) newest_[use.corner.index()] = kNone;
        chunk.origin = origin_;
        write_over(chunk.position, position_);
        fill_over(chunk.normal, position_.size(), Vec3f{0, 0, 1});
        fill_over(chunk.rgba, position_.size(), rgba_);
        write_over(chunk.triangle, triangle_);
    }

private:
    MeshVertexId add_vertex(GridPoint plan, Steps level) {
        position_.push_back({plan.x - origin_.x, plan.y - origin_.y, level});
        return MeshVertexId::from_index(position_.size() - 1);
    }
    MeshVertexId corner_vertex(CornerId corner, Steps level) {
        std::uint32_t& latest = newest_[corner.index()];
        for (std::uint32_t at = latest; at != kNone; at = uses_[at].older) {
            if (uses_[at].level == level) return uses_[at].vertex;
        }
        const MeshVertexId vertex = add_vertex(map_.corner_point[corner], level);
        uses_.push_back({corner, level, vertex, latest});
        latest = static_cast<std::uint32_t>(uses_.size() - 1);
        return vertex;
    }

    const PolygonMap& map_;
    std::vector<std::uint32_t>& newest_;
    std::vector<WaterScratch::Use>& uses_;
    std::vector<std::array<Steps, 3>>& position_;
    std::vector<std::array<MeshVertexId, 3>>& triangle_;
    GridPoint origin_;
    std::uint32_t rgba_;
};

WaterMaker::WaterMaker(const PolygonMap& map, const CellSquares& squares,
                       const world::Relief& relief)
    : map_(map), squares_(squares), relief_(relief) {
    for (std::uint32_t square = 0; square < squares.squares().size(); ++square) {
        bool sea = false, lake = false;
        for (const CellId cell : squares.squares()[square].cell) {
            sea |= relief.water[cell] == Water::ocean;
            lake |= relief.water[cell] == Water::lake;
        }
        if (sea) sea_square_.push_back(square);
        if (lake) lake_square_.push_back(square);
    }
    scratch_.newest.assign(map.corner_count(), kNone);
    level_.resize(map.cell_count(), 0);
    found_.reset(map.cell_count());
    dirty_.reset(squares.squares().size());
}

/// The level of a lake, on all its cells.
void WaterMaker::find_lake(const Drainage& drainage, CellId first) {
    if (!found_.insert(first)) return;
    lake_.assign(1, first);
    Steps highest = drainage.elevation[first];
    for (std::size_t i = 0; i < lake_.size(); ++i) {
        highest = std::max(highest, drainage.elevation[lake_[i]]);
        for (const SideId side : map_.sides(lake_[i])) {
            const CellId over = map_.neighbour(side);
            if (!over || drainage.water[over] != Water::lake || !found_.insert(over)) continue;
            lake_.push_back(over);
        }
    }
    for (const CellId cell : lake_) level_[cell.index()] = highest + kLakeFilm;
}

void WaterMaker::fill_sea(std::uint32_t square, MeshChunk& chunk) {
    Filler filler(map_, scratch_, squares_.squares()[square].origin, Biome::ocean);
    for (const CellId cell : squares_.squares()[square].cell) {
        if (relief_.water[cell] == Water::ocean) filler.add(cell, 0);
    }
    filler.write(chunk);
}

void WaterMaker::fill_lakes(const Drainage& drainage, std::uint32_t square, MeshChunk& chunk) {
    Filler filler(map_, scratch_, squares_.squares()[square].origin, Biome::lake);
    for (const CellId cell : squares_.squares()[square].cell) {
        if (drainage.water[cell] != Water::lake) continue;
        find_lake(drainage, cell);
        filler.add(cell, level_[cell.index()]);
    }
    filler.write(chunk);
}

std::vector<MeshChunk> WaterMaker::chunks(const Drainage& drainage) {
    std::vector<MeshChunk> out(sea_square_.size() + lake_square_.size());
    found_.clear();
    std::size_t at = 0;
    for (const std::uint32_t square : sea_square_) fill_sea(square, out[at++]);
    for (const std::uint32_t square : lake_square_) fill_lakes(drainage, square, out[at++]);
    return out;
}

void WaterMaker::update(const Drainage& drainage, std::span<const CellId> water,
                        std::span<const CellId> elevation, std::vector<MeshChunk>& chunks) {
    found_.clear();
    dirty_.clear();
    const auto touch = [&](CellId cell) { dirty_.insert(Id<SquareTag>(squares_.square_of(cell))); };
    const auto touch_lake = [&](CellId cell) {
        if (drainage.water[cell] != Water::lake || found_.contains(cell)) return;
        find_lake(drainage, cell);
        for (const CellId member : lake_) touch(member);
    };
    for (const CellId cell : water) {
        touch(cell);
        touch_lake(cell);
        // A cell that ran dry may have parted a lake, or lowered what is left of it.
        for (const SideId side : map_.sides(cell)) {
            if (const CellId over = map_.neighbour(side)) touch_lake(over);
        }
    }
    for (const CellId cell : elevation) touch_lake(cell);
    for (std::size_t i = 0; i < lake_square_.size(); ++i) {
        if (!dirty_.contains(Id<SquareTag>(lake_square_[i]))) continue;
        fill_lakes(drainage, lake_square_[i], chunks[sea_square_.size() + i]);
    }
}

}  // namespace tw::ground
