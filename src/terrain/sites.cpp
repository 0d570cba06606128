#include "terraway/terrain/sites.hpp"

#include "terraway/core/option_range.hpp"
#include "terraway/geometry/voronoi.hpp"
#include "terraway/math/floor_sqrt.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <string>

namespace tw::terrain {
namespace {

constexpr std::string_view kStage = "sites";
constexpr std::int64_t kTile = 32;  ///< lattice cells along a tile's side

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Steps between the places where sites may lie: a power of two, such that the spacing is less than
/// 2¹² of them. Squared distances near the spacing's are then whole numbers below 2²⁴: floats are
/// exact where it matters, and compilers have vectors of them everywhere.
Steps unit_for(Steps spacing) {
    const int bits = std::bit_width(static_cast<std::uint32_t>(spacing));
    return Steps{1} << std::max(0, bits - 12);
}

/// A site's place in its lattice cell, in units from its corner.
struct Place {
    std::int32_t x, y;
};
/// No site: so far outside the cell that it is out of sight of all cells around.
constexpr Place kNowhere{0x3fff, 0x3fff};

constexpr std::uint32_t pack(Place p) {
    return static_cast<std::uint32_t>(p.x) << 16 | static_cast<std::uint32_t>(p.y);
}
constexpr Place unpack(std::uint32_t site) {
    return {static_cast<std::int32_t>(site >> 16), static_cast<std::int32_t>(site & 0xffffu)};
}

/// Places of a lattice cell, both ends included.
struct Room {
    std::int32_t left, low, right, high;
    bool empty() const { return left > right || low > high; }
};

/// Places of a room, quarter by quarter.
struct Quarters {
    explicit Quarters(const Room& room) {
        const std::int32_t x = (room.left + room.right) / 2, y = (room.low + room.high) / 2;
        all = {Room{room.left, room.low, x, y}, Room{x + 1, room.low, room.right, y},
               Room{room.left, y + 1, x, room.high}, Room{x + 1, y + 1, room.right, room.high}};
    }
    std::array<Room, 4> all;  ///< some may be empty
};

/// Sites with the discs around them where no other may lie, laid out for vectors.
class Discs {
public:
    explicit Discs(std::int32_t spacing) : spacing2_(static_cast<float>(spacing * spacing)) {}

    /// Keeps the site or lets the next one take its place.
    void add(Place site, bool keep) {
        set(size_, site);
        size_ += keep ? 1 : 0;
    }
    /// After the last one: fills up the last block.
    void close() {
        for (std::size_t i = 0; i < kBlock; ++i) set(size_ + i, kNowhere);
    }

    bool leave_free(Place p) const {
        const auto px = static_cast<float>(p.x), py = static_cast<float>(p.y);
        std::int32_t found = 0;
        for_each([&](float x, float y) { found |= holds(x - px, y - py); });
        return found == 0;
    }
    /// By quarter: does one disc hold all of it?
    std::array<std::int32_t, 4> cover(const Quarters& quarters) const {
        const Room &low_left = quarters.all[0], &high_right = quarters.all[3];
        const auto left = static_cast<float>(low_left.left), low = static_cast<float>(low_left.low);
        const auto right = static_cast<float>(high_right.right),
                   high = static_cast<float>(high_right.high);
        const auto x0 = static_cast<float>(low_left.right), y0 = static_cast<float>(low_left.high);
        const float x1 = x0 + 1, y1 = y0 + 1;
        std::int32_t a = 0, b = 0, c = 0, d = 0;
        for_each([&](float x, float y) {
            const float to_left = greater(x - left, x0 - x), to_right = greater(x - x1, right - x);
            const float to_low = greater(y - low, y0 - y), to_high = greater(y - y1, high - y);
            a |= holds(to_left, to_low);
            b |= holds(to_right, to_low);
            c |= holds(to_left, to_high);
            d |= holds(to_right, to_high);
        });
        return {a, b, c, d};
    }

private:
    static constexpr std::size_t kBlock = 4;

    void set(std::size_t i, Place site) {
        x_[i] = static_cast<float>(site.x);
        y_[i] = static_cast<float>(site.y);
    }
    std::int32_t holds(float dx, float dy) const { return dx * dx + dy * dy < spacing2_ ? 1 : 0; }
    static float greater(float a, float b) { return a > b ? a : b; }
    template <class Visit>
    void for_each(Visit&& visit) const {
        const std::size_t padded = (size_ + kBlock - 1) / kBlock * kBlock;
        for (std::size_t i = 0; i < padded; ++i) visit(x_[i], y_[i]);
    }

    float spacing2_;
    std::size_t size_ = 0;
    std::array<float, 25 + kBlock> x_, y_;
};

/// The sites in sight of a lattice cell.
class Around {
public:
    explicit Around(std::int32_t spacing) : spacing_(spacing) {}

    void add(Place site) { site_[size_++] = site; }

    /// True if one disc holds the whole room.
    bool cover(const Room& room) const {
        return any([&](Place site) {
            return square(std::max(site.x - room.left, room.right - site.x)) +
                   square(std::max(site.y - room.low, room.high - site.y));
        });
    }
    /// Those that reach into the room.
    Discs near(const Room& room) const {
        Discs discs(spacing_);
        for (std::size_t i = 0; i < size_; ++i) {
            const std::int32_t dx = site_[i].x - std::clamp(site_[i].x, room.left, room.right);
            const std::int32_t dy = site_[i].y - std::clamp(site_[i].y, room.low, room.high);
            discs.add(site_[i], square(dx) + square(dy) < square(spacing_));
        }
        discs.close();
        return discs;
    }

private:
    static std::int32_t square(std::int32_t v) { return v * v; }
    /// True if for some site the squared distance is less than the spacing's.
    template <class Distance2>
    bool any(Distance2&& distance2) const {
        for (std::size_t i = 0; i < size_; ++i) {
            if (distance2(site_[i]) < square(spacing_)) return true;
        }
        return false;
    }

    std::int32_t spacing_;
    std::size_t size_ = 0;
    std::array<Place, 25> site_;
};

/// The background lattice, anchored at the world's origin. Its cells are so small that each holds
/// one site at most, so large that a site sees two cells far.
class Darts {
public:
    Darts(const GridBox& bounds, Steps spacing, Seed seed)
        : unit_(unit_for(spacing)),
          spacing_(spacing / unit_),
          cell_(static_cast<std::int32_t>(floor_sqrt(spacing_ * spacing_ / 2))),
          seed_(seed) {
        const std::int64_t margin = (spacing + 1) / 2;
        inside_ = {{to_unit_above(bounds.lo.x + margin), to_unit_above(bounds.lo.y + margin)},
                   {to_unit_below(bounds.hi.x - margin), to_unit_below(bounds.hi.y - margin)}};
        // Empty cells around spare the search for neighbours its checks of bounds; tiles keep the
        // lattice's own parity.
        const auto tile_of = [&](std::int32_t c, std::int64_t by) {
            return floor_divide(floor_divide(c, cell_) + by, kTile);
        };
        tile_x_ = tile_of(inside_.lo.x, -2);
        tile_y_ = tile_of(inside_.lo.y, -2);
        tile_columns_ = tile_of(inside_.hi.x, 2) - tile_x_ + 1;
        tile_rows_ = tile_of(inside_.hi.y, 2) - tile_y_ + 1;
        columns_ = tile_columns_ * kTile;
        const auto words = static_cast<std::size_t>(tile_columns_ * tile_rows_ * kTile);
        taken_.assign(words, 0);
        site_ = std::make_unique_for_overwrite<std::uint32_t[]>(words * kTile);
        find_rooms();
        for (std::int32_t i = 0; i < 25; ++i) {
            const std::int32_t row = i / 5 - 2, column = i % 5 - 2;
            in_sight_[static_cast<std::size_t>(i)] = {row * columns_ + column, column * cell_,
                                                      row * cell_};
        }
    }

    static std::uint64_t estimate_bytes(const GridBox& bounds, Steps spacing) {
        const double cell = spacing * 0.7;
        const double border = 2 * kTile + 4;
        constexpr double kBytesPerCell = sizeof(std::uint32_t) + 1.0 / 8;  // `site_`, `taken_`
        return static_cast<std::uint64_t>((static_cast<double>(bounds.width()) / cell + border) *
                                          (static_cast<double>(bounds.height()) / cell + border) *
                                          kBytesPerCell);
    }

    Steps spacing() const { return spacing_ * unit_; }

    /// One dart into each lattice cell, then as many as it takes.
    Status run(StageContext& context) {
        for (int round = 0; round < kRounds; ++round) {
            for (int colour = 0; colour < 4; ++colour) {
                if (context.cancelled()) return cancelled_error(kStage);
                run_colour(round, colour, *context.executor);
            }
            context.progress.set(static_cast<double>(round + 1) / kRounds);
        }
        return ok_status();
    }

    /// Tile by tile, so that neighbours in the plane are near in memory.
    std::vector<GridPoint> take(Executor& executor) const {
        const auto tiles = static_cast<std::size_t>(tile_columns_ * tile_rows_);
        std::vector<std::size_t> first(tiles + 1, 0);
        for (std::size_t tile = 0; tile < tiles; ++tile) {
            first[tile + 1] = first[tile];
            for_each_row(tile, [&](std::int64_t, std::size_t word) {
                first[tile + 1] += static_cast<std::size_t>(std::popcount(taken_[word]));
            });
        }
        std::vector<GridPoint> points(first[tiles]);
        parallel_for(executor, tiles, 8, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t tile = begin; tile < end; ++tile) {
                take_tile(tile, points.data() + first[tile]);
            }
        });
        return points;
    }

private:
    static constexpr int kRounds = 2;
    static constexpr std::array<Purpose, kRounds> kPurpose{Purpose("terrain.sites.first"),
                                                           Purpose("terrain.sites.full")};

    std::int32_t to_unit_below(std::int64_t steps) const {
        return static_cast<std::int32_t>(floor_divide(steps, unit_));
    }
    std::int32_t to_unit_above(std::int64_t steps) const {
        return static_cast<std::int32_t>(-floor_divide(-steps, unit_));
    }
    /// [units] of the cell's corner.
    std::int64_t corner_x(std::int64_t column) const { return (tile_x_ * kTile + column) * cell_; }
    std::int64_t corner_y(std::int64_t row) const { return (tile_y_ * kTile + row) * cell_; }

    GridPoint point_of(std::int64_t column, std::int64_t row, Place place) const {
        return {static_cast<std::int32_t>((corner_x(column) + place.x) * unit_),
                static_cast<std::int32_t>((corner_y(row) + place.y) * unit_)};
    }

    /// Of a row or column of lattice cells: the part of their length where sites may lie.
    struct Stretch {
        std::int32_t first, last;
    };
    void find_rooms() {
        const auto stretches = [&](std::int64_t size, std::int64_t corner, Steps low, Steps high) {
            std::vector<Stretch> all;
            for (std::int64_t i = 0; i < size; ++i, corner += cell_) {
                const auto clip = [&](std::int64_t c) {
                    return static_cast<std::int32_t>(std::clamp<std::int64_t>(c, -1, cell_));
                };
                all.push_back(
                    {std::max(0, clip(low - corner)), std::min(cell_ - 1, clip(high - corner))});
            }
            return all;
        };
        column_ = stretches(columns_, corner_x(0), inside_.lo.x, inside_.hi.x);
        row_ = stretches(tile_rows_ * kTile, corner_y(0), inside_.lo.y, inside_.hi.y);
    }
    /// The part of the lattice cell where sites may lie.
    Room room_of(std::int64_t column, std::int64_t row) const {
        const Stretch x = column_[static_cast<std::size_t>(column)];
        const Stretch y = row_[static_cast<std::size_t>(row)];
        return {x.first, y.first, x.last, y.last};
    }

    /// visit(row, index of its word in `taken_`) for each row of lattice cells of the tile.
    template <class Visit>
    void for_each_row(std::size_t tile, Visit&& visit) const {
        const std::int64_t tile_x = static_cast<std::int64_t>(tile) % tile_columns_;
        const std::int64_t first_row = static_cast<std::int64_t>(tile) / tile_columns_ * kTile;
        for (std::int64_t row = first_row; row < first_row + kTile; ++row) {
            visit(row, static_cast<std::size_t>(row * tile_columns_ + tile_x));
        }
    }
    void take_tile(std::size_t tile, GridPoint* to) const {
        const std::int64_t first_column = static_cast<std::int64_t>(tile) % tile_columns_ * kTile;
        for_each_row(tile, [&](std::int64_t row, std::size_t word) {
            for (std::uint32_t rest = taken_[word]; rest != 0; rest &= rest - 1) {
                const std::int64_t column = first_column + std::countr_zero(rest);
                const auto index = static_cast<std::size_t>(row * columns_ + column);
                *to++ = point_of(column, row, unpack(site_[index]));
            }
        });
    }

    /// Tiles of one colour are a tile apart, so none sees what another writes.
    void run_colour(int round, int colour, Executor& executor) {
        const std::int64_t columns = (tile_columns_ + 1 - colour % 2) / 2;
        const std::int64_t rows = (tile_rows_ + 1 - colour / 2) / 2;
        executor.run(static_cast<std::size_t>(columns * rows), [&](std::size_t task) {
            const auto i = static_cast<std::int64_t>(task);
            run_tile(round, 2 * (i % columns) + colour % 2, 2 * (i / columns) + colour / 2);
        });
    }

    /// In nine phases, so that the order within the tile leaves no trace in the pattern. Cells of
    /// one phase are out of each other's sight.
    void run_tile(int round, std::int64_t tile_x, std::int64_t tile_y) {
        constexpr std::uint32_t kEveryThird = 0x49249249u;
        for (std::int64_t phase = 0; phase < 9; ++phase) {
            for (std::int64_t row = phase / 3; row < kTile; row += 3) {
                const Word word{tile_x, tile_y * kTile + row};
                std::uint32_t rest = ~taken_[index_of(word)] & kEveryThird << phase % 3;
                for (; rest != 0; rest &= rest - 1) run_cell(round, word, std::countr_zero(rest));
            }
        }
    }

    /// Those lattice cells of a row that one word of `taken_` tells of.
    struct Word {
        std::int64_t tile_x, row;
    };
    std::size_t index_of(Word word) const {
        return static_cast<std::size_t>(word.row * tile_columns_ + word.tile_x);
    }

    void run_cell(int round, Word word, int bit) {
        const std::int64_t column = word.tile_x * kTile + bit;
        const Room room = room_of(column, word.row);
        if (room.empty()) return;
        const std::uint64_t id = static_cast<std::uint64_t>(tile_y_ * kTile + word.row) << 32 |
                                 static_cast<std::uint32_t>(tile_x_ * kTile + column);
        RandomStream random(seed_, kPurpose[static_cast<std::size_t>(round)], id);
        const Place place = round == 0 ? throw_once(room, word, bit, random)
                                       : throw_until_full(room, sites_around(word, bit), random);
        if (place.x == kNowhere.x) return;
        site_[static_cast<std::size_t>(word.row * columns_ + column)] = pack(place);
        taken_[index_of(word)] |= 1u << bit;
    }

    /// Which of the 25 cells around have a site, by rows.
    std::uint32_t taken_around(Word word, int bit) const {
        const std::uint32_t* here = &taken_[index_of(word)] - 2 * tile_columns_;
        std::uint32_t taken = 0;
        for (int row = 0; row < 5; ++row, here += tile_columns_) {
            const std::uint64_t left = std::uint64_t{here[0]} << 32 | here[-1];
            const std::uint64_t five = left >> (30 + bit) | std::uint64_t{here[1]} << (34 - bit);
            taken |= static_cast<std::uint32_t>(five & 31u) << 5 * row;
        }
        return taken;
    }
    /// visit(site) for the sites in sight, until it returns false.
    template <class Visit>
    void for_each_around(Word word, int bit, Visit&& visit) const {
        const std::uint32_t* const here = &site_[index_of(word) * kTile];
        for (std::uint32_t rest = taken_around(word, bit); rest != 0; rest &= rest - 1) {
            const InSight& cell = in_sight_[static_cast<std::size_t>(std::countr_zero(rest))];
            const Place place = unpack(here[bit + cell.index]);
            if (!visit(Place{place.x + cell.x, place.y + cell.y})) return;
        }
    }
    Around sites_around(Word word, int bit) const {
        Around around(spacing_);
        for_each_around(word, bit, [&](Place site) {
            around.add(site);
            return true;
        });
        return around;
    }

    static Place throw_dart(const Room& room, RandomStream& random) {
        const auto width = static_cast<std::uint32_t>(room.right - room.left + 1);
        const auto height = static_cast<std::uint32_t>(room.high - room.low + 1);
        const auto x = static_cast<std::int32_t>(random.below(width));
        const auto y = static_cast<std::int32_t>(random.below(height));
        return {room.left + x, room.low + y};
    }

    Place throw_once(const Room& room, Word word, int bit, RandomStream& random) const {
        const Place dart = throw_dart(room, random);
        bool is_free = true;
        for_each_around(word, bit, [&](Place site) {
            const std::int32_t dx = site.x - dart.x, dy = site.y - dart.y;
            is_free = dx * dx + dy * dy >= spacing_ * spacing_;
            return is_free;
        });
        return is_free ? dart : kNowhere;
    }

    /// Quarters the room until a dart finds a free place or each part, at last each place, is known
    /// to be covered: what is left empty is full. No single disc covers a part on the stack.
    static Place throw_until_full(const Room& room, const Around& around, RandomStream& random) {
        if (around.cover(room)) return kNowhere;
        const Discs near = around.near(room);
        std::array<Room, 3 * 13 + 2> stack;  // three quarters wait on each of at most 13 levels
        std::size_t size = 0;
        stack[size++] = room;
        while (size > 0) {
            const Room part = stack[--size];
            const Place dart = throw_dart(part, random);
            if (near.leave_free(dart)) return dart;
            const Quarters quarters(part);
            const auto covered = near.cover(quarters);
            const std::uint32_t first = random.next_u32() >> 30;
            for (std::uint32_t i = 0; i < 4; ++i) {
                const std::uint32_t at = (first + i) % 4;
                stack[size] = quarters.all[at];
                size += covered[at] == 0 && !stack[size].empty() ? 1 : 0;
            }
        }
        return kNowhere;
    }

    Steps unit_;
    std::int32_t spacing_, cell_;  ///< [units]
    Seed seed_;
    GridBox inside_;                        ///< [units] where sites may lie
    std::int64_t tile_x_ = 0, tile_y_ = 0;  ///< of the first tile, in tiles from the world's origin
    std::int64_t columns_ = 0, tile_columns_ = 0, tile_rows_ = 0;
    std::vector<Stretch> column_, row_;
    std::vector<std::uint32_t> taken_;  ///< bits of a tile's 32 columns, by row and tile column
    std::unique_ptr<std::uint32_t[]> site_;  ///< by row and column, where one is
    /// A cell of the 25 around another one, as an offset from it.
    struct InSight {
        std::int64_t index;
        std::int32_t x, y;  ///< [units]
    };
    std::array<InSight, 25> in_sight_;
};

Error bad_cells(const SiteOptions& options, std::string why) {
    return {.code = ErrorCode::invalid_option,
            .stage = std::string(kStage),
            .subject = "cells",
            .message = "cells = " + std::to_string(options.cells) + ' ' + std::move(why)};
}

// Measured: a maximal set in a wide world has kDensity sites per square of the spacing, and the
// rectangle acts as if it were narrower by kRim spacings (sites keep half a spacing inside).
constexpr double kDensity = 0.7222;
constexpr double kRim = 0.30;

/// The spacing r at which a maximal set has the wanted count:
/// count · r² = kDensity · (width − kRim · r) · (height − kRim · r).
Result<Steps> spacing_for(const GridBox& bounds, const SiteOptions& options) {
    const auto width = static_cast<double>(bounds.width());
    const auto height = static_cast<double>(bounds.height());
    const double a = options.cells - kDensity * kRim * kRim;
    const double b = kDensity * kRim * (width + height);
    const double c = kDensity * width * height;
    const double spacing = (std::sqrt(b * b + 4.0 * a * c) - b) / (2.0 * a);
    if (spacing < geometry::kMinSpacing) {
        const auto most =
            static_cast<std::uint64_t>(c / (geometry::kMinSpacing * geometry::kMinSpacing));
        return bad_cells(options,
                         "would lie nearer than 64 steps (1/16 m); ask for at most about " +
                             std::to_string(most) + " cells or for a larger world");
    }
    const double narrow = std::min(width, height);
    if (spacing > narrow / 2) {
        const auto least = static_cast<std::uint64_t>(4 * c / (narrow * narrow));
        return bad_cells(options,
                         "are too few for a world this long and narrow; ask for at least " +
                             std::to_string(least + 1));
    }
    return static_cast<Steps>(spacing);
}

}  // namespace

Result<Sites> build_sites(const GridBox& bounds, const SiteOptions& options, Seed seed,
                          StageContext& context) {
    TW_TRY(require_range(kStage, "cells", options.cells, kMinCells, kMaxCells));
    if (bounds.empty() || !on_grid(bounds.lo) || !on_grid(bounds.hi)) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = std::string(kStage),
                     .subject = "bounds",
                     .message = "the world's rectangle is empty or off the grid; give it a size"};
    }
    TW_ASSIGN(const Steps spacing, spacing_for(bounds, options));
    TW_TRY(require_memory(context, kStage,
                          Darts::estimate_bytes(bounds, spacing) +
                              std::uint64_t{options.cells} * 2 * sizeof(GridPoint)));
    Darts darts(bounds, spacing, seed);
    TW_TRY(darts.run(context));
    return Sites{.spacing = darts.spacing(), .point = darts.take(*context.executor)};
}

}  // namespace tw::terrain
