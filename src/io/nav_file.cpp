#include "nav_file.hpp"

#include "terraway/world/archive.hpp"

#include <array>
#include <cstring>

namespace tw::io {
namespace {

constexpr std::array<char, 8> kMagic = {'T', 'W', 'N', 'A', 'V', '\r', '\n', '\0'};
struct Header {
    std::array<char, 8> magic = kMagic;
    std::uint32_t version = 1;
    std::int32_t columns = 0, rows = 0, origin_x = 0, origin_y = 0, cell = 0;
};
static_assert(sizeof(Header) == 32);
constexpr std::int64_t kMaxSide = 1 << 15;

constexpr std::size_t padded(std::size_t size) {
    return (size + 3) / 4 * 4;
}

template <class T>
std::vector<T> take(std::span<const std::byte>& bytes, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), bytes.data(), count * sizeof(T));
    bytes = bytes.subspan(count * sizeof(T));
    return values;
}

}  // namespace

Bytes encode_nav(const world::CostGrid& cost, const world::IntegrationField& integration,
                 const world::DirectionField& directions) {
    Header header;
    header.columns = cost.grid.columns;
    header.rows = cost.grid.rows;
    header.origin_x = cost.grid.origin.x;
    header.origin_y = cost.grid.origin.y;
    header.cell = cost.grid.cell;
    constexpr std::array<std::byte, 3> kPadding{};
    world::ArchiveWriter writer;
    writer.raw(&header, sizeof header);
    writer.raw(cost.cost.span().data(), cost.cost.size());
    writer.raw(kPadding.data(), padded(cost.cost.size()) - cost.cost.size());
    writer.raw(integration.value.span().data(), integration.value.size() * sizeof(std::uint32_t));
    writer.raw(directions.direction.span().data(), directions.direction.size());
    return std::move(writer).take();
}

Result<NavGrids> decode_nav(std::span<const std::byte> bytes, const std::string& name) {
    const auto broken = [&](const char* what) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "read nav",
                     .subject = name,
                     .message = std::string(what) + "; bake the world again"};
    };
    Header header;
    if (bytes.size() < sizeof header) return broken("the file is cut short");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != kMagic || header.version != 1)
        return broken("this is no nav.bin of version 1");
    const auto good = [](std::int32_t n) { return n > 0 && n <= kMaxSide; };
    if (!good(header.columns) || !good(header.rows) || header.cell <= 0)
        return broken("the grid's size is out of range");
    const auto count =
        static_cast<std::size_t>(header.columns) * static_cast<std::size_t>(header.rows);
    if (bytes.size() != padded(sizeof header + count) + 5 * count)
        return broken("the file's size is not that of its grids");

    NavGrids grids;
    const world::NavGrid grid{
        {header.origin_x, header.origin_y}, header.cell, header.columns, header.rows};
    grids.cost.grid = grids.integration.grid = grids.directions.grid = grid;
    bytes = bytes.subspan(sizeof header);
    grids.cost.cost = IdArray<world::NavCellTag, std::uint8_t>(take<std::uint8_t>(bytes, count));
    bytes = bytes.subspan(padded(sizeof header + count) - sizeof header - count);
    grids.integration.value =
        IdArray<world::NavCellTag, std::uint32_t>(take<std::uint32_t>(bytes, count));
    grids.directions.direction =
        IdArray<world::NavCellTag, std::uint8_t>(take<std::uint8_t>(bytes, count));
    return grids;
}

}  // namespace tw::io
