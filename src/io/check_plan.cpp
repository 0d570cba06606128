// Files, cells, rivers, heights and navigation.

#include "terraway/core/hash.hpp"
#include "terraway/math/predicates.hpp"
#include "terraway/recipe/json_writer.hpp"

#include "checks.hpp"
#include "json_text.hpp"
#include "png.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace tw::io {
namespace {

using nlohmann::json;

struct Side {
    GridPoint from, to;
    friend auto operator<=>(const Side&, const Side&) = default;
};

bool on_border(const Side& side, const GridBox& box) {
    return (side.from.x == side.to.x && (side.from.x == box.lo.x || side.from.x == box.hi.x)) ||
           (side.from.y == side.to.y && (side.from.y == box.lo.y || side.from.y == box.hi.y));
}

bool on_border(GridPoint p, const GridBox& box) {
    return p.x == box.lo.x || p.x == box.hi.x || p.y == box.lo.y || p.y == box.hi.y;
}

/// Star-shaped about its site, once around: so simple, and counter-clockwise.
bool is_star(GridPoint site, std::span<const GridPoint> ring) {
    int turns = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()];
        if (orient2d(site, a, b) <= 0) return false;
        turns += a.y <= site.y && b.y > site.y;  // crosses the line to the east, going north
    }
    return turns == 1;
}

std::string cell_text(std::size_t cell) {
    return "cell " + std::to_string(cell);
}

/// Pixels that the river's line has a stretch within, in order; what only touches a corner or runs
/// along a border is in none. Exact: next lines are compared by cross-multiplication.
template <class Visit>
void trace_pixels(const HeightPixels& pixels, GridPoint a, GridPoint b, Visit&& visit) {
    const std::int64_t size = pixels.pixel;
    // From the north-west corner, y to the south.
    const std::int64_t x0 = std::int64_t{a.x} - pixels.north_west.x,
                       y0 = std::int64_t{pixels.north_west.y} - a.y;
    const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{a.y} - b.y;
    const auto floor_div = [&](std::int64_t v) {
        return v >= 0 ? v / size : -((size - 1 - v) / size);
    };
    const bool along_x = dx == 0 && x0 % size == 0, along_y = dy == 0 && y0 % size == 0;
    if (along_x || along_y || (dx == 0 && dy == 0)) return;
    // Starting on a border and going back, the first pixel is the one behind it.
    std::int64_t column = floor_div(x0) - (dx < 0 && x0 % size == 0 ? 1 : 0);
    std::int64_t row = floor_div(y0) - (dy < 0 && y0 % size == 0 ? 1 : 0);
    const std::int64_t ax = std::abs(dx), ay = std::abs(dy);
    std::int64_t next_x =
        dx > 0 ? (column + 1) * size - x0 : x0 - column * size;  // distance to the next line
    std::int64_t next_y = dy > 0 ? (row + 1) * size - y0 : y0 - row * size;
    for (;;) {
        visit(column, row);
        const bool more_x = next_x < ax, more_y = next_y < ay;
        if (!more_x && !more_y) return;
        const std::int64_t order = !more_x ? 1 : !more_y ? -1 : next_x * ay - next_y * ax;
        if (order <= 0) {
            column += dx > 0 ? 1 : -1;
            next_x += size;
        }
        if (order >= 0) {
            row += dy > 0 ? 1 : -1;
            next_y += size;
        }
    }
}

}  // namespace

std::string point_text(GridPoint point) {
    recipe::JsonWriter x, y;
    x.value(to_metres(point.x));
    y.value(to_metres(point.y));
    return "(" + x.text() + ", " + y.text() + ")";
}

void check_files(const WorldFolder& world, Checks& checks) {
    Check check("files are those of the manifest");
    const json* files = find_member(world.manifest(), "files");
    const bool listed = files && files->is_array() && !files->empty();
    check.expect(listed, [] { return std::string("world.json lists no files"); });
    for (const json& file : listed ? *files : json::array()) {
        const json* named = find_member(file, "name");
        const std::string name = named && named->is_string() ? named->get<std::string>() : "";
        const auto bytes = world.read(name);
        if (!bytes) {
            check.fail(bytes.error());
            continue;
        }
        const json* size = find_member(file, "bytes");
        const json* sum = find_member(file, "xxh64");
        const bool same =
            size && *size == bytes->size() && sum && *sum == hash_to_text(hash_bytes(*bytes));
        check.expect(same,
                     [&] { return name + ": its size or checksum is not that of the manifest"; });
    }
    checks.push_back(std::move(check).take());
}

void check_cells(const WorldFolder& world, const MapCells& cells, Checks& checks) {
    Check check("cells tile the rectangle");
    const GridBox& box = world.bounds();
    std::vector<Side> sides;
    std::int64_t area = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const auto ring = cells.ring(cell);
        bool inside = on_grid(cells.site[cell]);
        for (const GridPoint corner : ring) inside = inside && box.contains(corner);
        check.expect(inside, [&] { return cell_text(cell) + " leaves the rectangle"; });
        if (!inside) continue;
        check.expect(is_star(cells.site[cell], ring), [&] {
            return cell_text(cell) + ": its ring is not counter-clockwise once about its site";
        });
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const Side side{ring[i], ring[(i + 1) % ring.size()]};
            area += orient2d(cells.site[cell], side.from, side.to);
            sides.push_back(side);
        }
    }
    check.expect(area == 2 * box.width() * box.height(), [&] {
        const double metres2 = static_cast<double>(area) / 2 * kMetresPerStep * kMetresPerStep;
        return "the cells' areas add up to " + std::to_string(metres2) +
               " square metres, not to the rectangle's";
    });
    std::sort(sides.begin(), sides.end());
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Side& side = sides[i];
        const bool once =
            (i == 0 || sides[i - 1] != side) && (i + 1 == sides.size() || sides[i + 1] != side);
        const bool shared =
            std::binary_search(sides.begin(), sides.end(), Side{side.to, side.from});
        check.expect(once && shared != on_border(side, box), [&] {
            return "the side from " + point_text(side.from) + " to " + point_text(side.to) +
                   (once ? " has no cell on its other side" : " belongs to two cells on one side");
        });
    }
    checks.push_back(std::move(check).take());
}

void check_rivers(const WorldFolder& world, const MapCells& cells,
                  const std::vector<MapRiver>& rivers, Checks& checks) {
    Check falling("rivers never rise along their lines");
    for (std::size_t r = 0; r < rivers.size(); ++r) {
        for (std::size_t i = 1; i < rivers[r].elevation.size(); ++i) {
            falling.expect(rivers[r].elevation[i] <= rivers[r].elevation[i - 1], [&] {
                return "river " + std::to_string(r) + " rises at " + point_text(rivers[r].point[i]);
            });
        }
    }
    checks.push_back(std::move(falling).take());

    // Where a river may end: in the middle of a side of the sea, or on another river's line.
    std::set<GridPoint> mouths, starts;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells.water[cell] != world::Water::ocean) continue;
        const auto ring = cells.ring(cell);
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const GridPoint a = ring[i], b = ring[(i + 1) % ring.size()];
            // Middles are rounded; the sign of the rounding is the writer's own.
            const std::int64_t sx = std::int64_t{a.x} + b.x, sy = std::int64_t{a.y} + b.y;
            for (const std::int64_t up_x : {0, 1}) {
                for (const std::int64_t up_y : {0, 1}) {
                    mouths.insert({static_cast<std::int32_t>((sx + up_x) >> 1),
                                   static_cast<std::int32_t>((sy + up_y) >> 1)});
                }
            }
        }
    }
    for (const MapRiver& river : rivers) starts.insert(river.point.front());
    Check ending("rivers end in the sea, at the border or in a river");
    for (std::size_t r = 0; r < rivers.size(); ++r) {
        const GridPoint end = rivers[r].point.back();
        const bool arrives =
            mouths.contains(end) || starts.contains(end) || on_border(end, world.bounds());
        ending.expect(arrives, [&] {
            return "river " + std::to_string(r) + " ends on land at " + point_text(end);
        });
    }
    checks.push_back(std::move(ending).take());
}

void check_carving(const HeightPixels& pixels, const std::vector<MapRiver>& rivers,
                   Checks& checks) {
    Check check("rivers never rise along carved pixels");
    for (std::size_t r = 0; r < rivers.size(); ++r) {
        std::uint16_t before = 0xffff;
        const auto visit = [&](std::int64_t column, std::int64_t row) {
            if (column < 0 || row < 0 || column >= pixels.columns || row >= pixels.rows) return;
            const std::uint16_t value =
                pixels.value[static_cast<std::size_t>(row * pixels.columns + column)];
            check.expect(value <= before, [&] {
                return "river " + std::to_string(r) + " rises at pixel " + std::to_string(column) +
                       "," + std::to_string(row);
            });
            before = value;
        };
        const auto& line = rivers[r].point;
        for (std::size_t i = 1; i < line.size(); ++i)
            trace_pixels(pixels, line[i - 1], line[i], visit);
    }
    checks.push_back(std::move(check).take());
}

void check_height_picture(const WorldFolder& world, const HeightPixels& pixels, Checks& checks) {
    Check check("height.png equals height.r16");
    const auto compare = [&]() -> Status {
        TW_ASSIGN(const Bytes bytes, world.read("height.png"));
        TW_ASSIGN(const PngPicture picture, decode_png(bytes, "height.png", 16'384));
        const bool shape = picture.width == pixels.columns && picture.height == pixels.rows &&
                           picture.bits == 16 && picture.colour == PngColour::grey;
        check.expect(shape, [] { return std::string("height.png has another size or kind"); });
        for (std::size_t i = 0; shape && i < pixels.value.size(); ++i) {
            std::uint16_t value = 0;
            std::memcpy(&value, picture.data.data() + 2 * i, sizeof value);
            check.expect(value == pixels.value[i],
                         [&] { return "pixel " + std::to_string(i) + " differs"; });
        }
        return ok_status();
    };
    if (const Status status = compare(); !status) check.fail(status.error());
    checks.push_back(std::move(check).take());
}

void check_navigation(const NavGrids& nav, Checks& checks) {
    Check check("directions lead down to a goal");
    const std::int64_t columns = nav.cost.grid.columns, rows = nav.cost.grid.rows;
    constexpr std::array<std::array<int, 2>, 8> kWays = {
        {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    const auto open = [&](std::int64_t column, std::int64_t row) {
        return column >= 0 && row >= 0 && column < columns && row < rows &&
               nav.cost.cost.span()[static_cast<std::size_t>(row * columns + column)] !=
                   world::CostGrid::kBlocked;
    };
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            const auto cell = static_cast<std::size_t>(row * columns + column);
            const std::uint32_t value = nav.integration.value.span()[cell];
            const std::uint8_t way = nav.directions.direction.span()[cell];
            const bool moves = value != 0 && value != world::IntegrationField::kUnreached;
            bool holds = moves == (way < kWays.size());
            if (holds && moves) {
                const std::int64_t x = column + kWays[way][0], y = row + kWays[way][1];
                holds =
                    open(x, y) && open(x, row) && open(column, y) &&
                    nav.integration.value.span()[static_cast<std::size_t>(y * columns + x)] < value;
            }
            check.expect(holds, [&] {
                return "cell " + std::to_string(column) + "," + std::to_string(row) +
                       " does not lead on";
            });
        }
    }
    checks.push_back(std::move(check).take());
}

}  // namespace tw::io
