#include "world_file_rules.hpp"

#include <algorithm>
#include <cstring>

namespace tw::recipe {
namespace {

using namespace world;

constexpr std::size_t kAtOnce = std::size_t{1} << 16;

template <class T>
std::span<T> elements_of(std::span<std::byte> bytes) {
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Rows and corners name what there is.
bool is_sound(const PolygonMap& map, Executor& executor) {
    const std::size_t cells = map.cell_count(), sides = map.side_count();
    const std::span<const std::uint32_t> begin = map.side_begin.span();
    if (begin.size() != cells + 1 || begin.front() != 0 || begin.back() != sides ||
        !std::ranges::is_sorted(begin)) {
        return false;
    }
    std::vector<std::uint8_t> sound((sides + kAtOnce - 1) / kAtOnce, 0);
    parallel_for(executor, sides, kAtOnce,
                 [&](std::size_t from, std::size_t to, std::size_t chunk) {
                     bool all = true;
                     for (const CornerId corner : map.corner.span().subspan(from, to - from)) {
                         all = map.corner_point.contains(corner) && all;
                     }
                     sound[chunk] = all ? 1 : 0;
                 });
    return std::ranges::find(sound, 0) == sound.end();
}

/// Rows give the cells of sides, from `begin` on.
void fill_cells_of_sides(const PolygonMap& map, std::size_t begin, std::span<CellId> to) {
    const std::span<const std::uint32_t> rows = map.side_begin.span();
    auto cell = static_cast<std::size_t>(std::ranges::upper_bound(rows, begin) - rows.begin()) - 1;
    for (std::size_t at = 0; at < to.size(); ++cell) {
        const std::size_t end = std::min(rows[cell + 1] - begin, to.size());
        while (at < end) to[at++] = CellId::from_index(cell);
    }
}

const NamedSurface* find_surface(const GroundMeshes& meshes, std::string_view name) {
    const auto found = std::ranges::find(meshes.surface, name, &NamedSurface::name);
    return found == meshes.surface.end() ? nullptr : &*found;
}

}  // namespace

template <class Array>
void ArrayRules::add_same(const Array& array, const Array& source, int level) {
    using T = typename Array::value_type;
    rule_.push_back(
        {&array, PageRule::same, level, [&source](std::size_t begin, std::span<std::byte> to) {
             const auto held = std::as_bytes(source.span());
             const std::size_t first = std::min(begin * sizeof(T), held.size());
             const std::size_t count = std::min(to.size(), held.size() - first);
             std::ranges::copy(held.subspan(first, count), to.begin());
             std::ranges::fill(to.subspan(count), std::byte(0));
         }});
}

void ArrayRules::add_patches(const NamedSurface& surface, PatchKind kind) {
    const bool terrain = kind == PatchKind::terrain;
    std::unique_ptr<SurfacePatches>& patches = terrain ? terrain_ : sea_;
    patches = std::make_unique<SurfacePatches>(kind, surface.chunk);
    const Drainage* const heights = terrain ? world_.drainage.get() : nullptr;
    for (std::size_t i = 0; i < patches->chunk_count(); ++i) {
        const MeshChunk& chunk = surface.chunk[i];
        rule_.push_back({&chunk.position, PageRule::patch_position, terrain ? 2 : 1,
                         [this, &patches, heights, i](std::size_t begin, std::span<std::byte> to) {
                             patches->fill(*world_.map, heights, i, begin,
                                           elements_of<SurfacePatches::Position>(to));
                         }});
        rule_.push_back({&chunk.triangle, PageRule::patch_triangle, 1,
                         [&patches, i](std::size_t begin, std::span<std::byte> to) {
                             patches->fill(i, begin, elements_of<SurfacePatches::Triangle>(to));
                         }});
    }
}

ArrayRules::ArrayRules(const pipeline::BakedWorld& world) : world_(world) {
    const auto& relief = world.relief;
    if (relief && world.edited_relief) {
        add_same(world.edited_relief->elevation, relief->elevation, 1);
        add_same(world.edited_relief->water, relief->water, 1);
    }
    if (relief && world.drainage) {
        add_same(world.drainage->elevation, relief->elevation, 1);
        add_same(world.drainage->water, relief->water, 1);
        add_same(world.drainage->spill, world.drainage->elevation, 2);
    }
    if (world.raster) add_same(world.raster->height, world.raster->uncarved, 1);
    if (world.map) {
        rule_.push_back({&world.map->cell_of_side, PageRule::cell_of_side, 1,
                         [this](std::size_t begin, std::span<std::byte> to) {
                             const std::span<CellId> cells = elements_of<CellId>(to);
                             if (map_is_sound_ &&
                                 begin + cells.size() <= world_.map->side_count()) {
                                 fill_cells_of_sides(*world_.map, begin, cells);
                             } else {
                                 std::ranges::fill(to, std::byte(0));
                             }
                         }});
    }
    if (world.map && world.meshes && world.drainage) {
        if (const auto* surface = find_surface(*world.meshes, "terrain")) {
            add_patches(*surface, PatchKind::terrain);
        }
    }
    if (world.map && world.meshes && relief) {
        if (const auto* surface = find_surface(*world.meshes, "water")) {
            add_patches(*surface, PatchKind::sea);
        }
    }
    std::ranges::sort(rule_, std::less<const void*>(), &ArrayRule::array);
}

void ArrayRules::prepare(Executor& executor) {
    if (!world_.map || !is_sound(*world_.map, executor)) return;
    map_is_sound_ = true;
    const PolygonMap& map = *world_.map;
    const std::array<std::function<void()>, 2> parts{
        [&] {
            const Drainage* const water = world_.drainage.get();
            const bool fits = terrain_ && water->elevation.size() == map.cell_count() &&
                              water->corner_elevation.size() == map.corner_count();
            if (fits) terrain_->prepare(map, nullptr, executor);
        },
        [&] {
            const bool fits = sea_ && world_.relief->water.size() == map.cell_count();
            if (fits) sea_->prepare(map, world_.relief.get(), executor);
        }};
    executor.run(parts.size(), [&](std::size_t i) { parts[i](); });
}

const ArrayRule* ArrayRules::of(const void* array) const {
    const auto found = std::ranges::lower_bound(rule_, array, std::less<>(), &ArrayRule::array);
    return found == rule_.end() || found->array != array ? nullptr : &*found;
}

}  // namespace tw::recipe
