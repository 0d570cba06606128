#include "terraway/world/attributes.hpp"

#include "terraway/core/random.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tw::world {
namespace {

constexpr std::size_t kCells = 10'000;  // three pages

SetCellAttribute set(std::string column, AttributeValue value) {
    return {.place = {}, .radius = 0, .column = std::move(column), .value = std::move(value)};
}
std::vector<CellId> cells_of(std::initializer_list<std::uint32_t> ids) {
    std::vector<CellId> cells;
    for (const std::uint32_t id : ids) cells.emplace_back(id);
    return cells;
}
Status apply(const SetCellAttribute& edit, std::initializer_list<std::uint32_t> ids,
             Attributes& attributes) {
    return apply_edit(edit, cells_of(ids), kCells, attributes);
}

TEST(Attributes, TheFirstValueMakesAColumnOfItsType) {
    Attributes attributes;
    ASSERT_TRUE(apply(set("owner", std::string("Rome")), {3, 9000}, attributes).ok());
    ASSERT_TRUE(apply(set("army", std::int64_t{-7}), {0}, attributes).ok());
    ASSERT_TRUE(apply(set("tax", 0.25), {1}, attributes).ok());
    ASSERT_EQ(attributes.cell.size(), 3u);
    EXPECT_EQ(attributes.cell[0].name, "army");
    EXPECT_EQ(attributes.cell[0].type, ColumnType::integer);
    EXPECT_EQ(attributes.cell[0].integers[CellId(0)], -7);
    EXPECT_EQ(attributes.cell[1].name, "owner");
    EXPECT_EQ(attributes.cell[1].texts[CellId(9000)], "Rome");
    EXPECT_EQ(attributes.cell[1].present[CellId(3)], 1);
    EXPECT_EQ(attributes.cell[1].present[CellId(4)], 0);
    EXPECT_EQ(attributes.cell[2].type, ColumnType::number);
    EXPECT_TRUE(validate(attributes, kCells).ok());
    EXPECT_FALSE(validate(attributes, kCells + 1).ok());
}

TEST(Attributes, NothingMakesNoColumn) {
    Attributes attributes;
    EXPECT_TRUE(apply(set("owner", {}), {3}, attributes).ok());
    EXPECT_TRUE(apply(set("owner", std::string("Rome")), {}, attributes).ok());
    EXPECT_TRUE(apply_edit(SetRoadAttribute{"w1", "lanes", {}}, attributes).ok());
    EXPECT_EQ(hash_of(attributes), hash_of(Attributes{}));
}

TEST(Attributes, TakingAwayLeavesAsIfNeverSet) {
    Attributes never, taken;
    ASSERT_TRUE(apply(set("tax", 1.5), {7}, never).ok());
    ASSERT_TRUE(apply(set("tax", 1.5), {7, 8}, taken).ok());
    ASSERT_TRUE(apply(set("tax", {}), {8}, taken).ok());
    EXPECT_EQ(hash_of(never), hash_of(taken));
    ASSERT_TRUE(apply_edit(SetRoadAttribute{"w1", "lanes", std::int64_t{2}}, never).ok());
    ASSERT_TRUE(apply_edit(SetRoadAttribute{"w2", "lanes", std::int64_t{2}}, taken).ok());
    ASSERT_TRUE(apply_edit(SetRoadAttribute{"w1", "lanes", std::int64_t{2}}, taken).ok());
    ASSERT_TRUE(apply_edit(SetRoadAttribute{"w2", "lanes", {}}, taken).ok());
    EXPECT_EQ(hash_of(never), hash_of(taken));
    EXPECT_TRUE(validate(taken, kCells).ok());
}

TEST(Attributes, AnotherTypeIsRefusedAndChangesNothing) {
    Attributes attributes;
    ASSERT_TRUE(apply(set("army", std::int64_t{1}), {0}, attributes).ok());
    ASSERT_TRUE(apply_edit(SetRoadAttribute{"w1", "name", std::string("A1")}, attributes).ok());
    const std::uint64_t before = hash_of(attributes);
    const Status cell = apply(set("army", 2.5), {0}, attributes);
    ASSERT_FALSE(cell.ok());
    EXPECT_EQ(cell.error().subject.text(), "army");
    EXPECT_NE(cell.error().message.find("holds whole numbers; give"), std::string::npos);
    const Status road = apply_edit(SetRoadAttribute{"w2", "name", 1.0}, attributes);
    ASSERT_FALSE(road.ok());
    EXPECT_NE(road.error().message.find("holds texts; give text"), std::string::npos);
    const Status outside = apply(set("new", 2.5), {0, kCells}, attributes);
    ASSERT_FALSE(outside.ok());
    EXPECT_NE(outside.error().message.find("#10000"), std::string::npos);
    EXPECT_EQ(hash_of(attributes), before);
}

TEST(Attributes, ColumnsAreBounded) {
    Attributes attributes;
    for (std::size_t i = 0; i < kMaxColumns; ++i) {
        const std::string name = "c" + std::to_string(i);
        ASSERT_TRUE(apply_edit(set(name, 1.0), cells_of({0}), 4, attributes).ok());
        ASSERT_TRUE(apply_edit(SetRoadAttribute{"w", name, 1.0}, attributes).ok());
    }
    EXPECT_TRUE(validate(attributes, 4).ok());
    const Status cell = apply_edit(set("more", 1.0), cells_of({0}), 4, attributes);
    ASSERT_FALSE(cell.ok());
    EXPECT_EQ(cell.error().code, ErrorCode::too_large);
    const Status road = apply_edit(SetRoadAttribute{"w", "more", 1.0}, attributes);
    ASSERT_FALSE(road.ok());
    EXPECT_EQ(road.error().code, ErrorCode::too_large);
    EXPECT_TRUE(apply_edit(set("c7", 2.0), cells_of({1}), 4, attributes).ok());
}

TEST(Attributes, ZerosAreAlike) {
    Attributes plus, minus;
    ASSERT_TRUE(apply(set("x", 0.0), {1}, plus).ok());
    ASSERT_TRUE(apply(set("x", -0.0), {1}, minus).ok());
    EXPECT_EQ(std::bit_cast<std::uint64_t>(minus.cell[0].numbers[CellId(1)]), 0u);
    EXPECT_EQ(hash_of(plus), hash_of(minus));
}

TEST(Attributes, RandomEditsEqualATable) {
    Attributes attributes;
    std::map<std::pair<std::string, std::uint32_t>, std::int64_t> cells;
    std::map<std::pair<std::string, std::string>, std::int64_t> roads;
    RandomStream draw(Seed{3}, Purpose("attributes.test"), 0);
    for (int step = 0; step < 2000; ++step) {
        const std::string column = "c" + std::to_string(draw.below(5));
        const std::uint32_t thing = draw.below(40) * 251;
        const std::string road = "w" + std::to_string(thing);
        const std::int64_t value = std::int64_t{draw.below(9)} - 4;
        const bool takes = draw.below(3) == 0;
        const AttributeValue given = takes ? AttributeValue() : AttributeValue(value);
        ASSERT_TRUE(apply(set(column, given), {thing}, attributes).ok());
        ASSERT_TRUE(apply_edit(SetRoadAttribute{road, column, given}, attributes).ok());
        if (takes) {
            cells.erase({column, thing});
            roads.erase({column, road});
        } else {
            cells[{column, thing}] = value;
            roads[{column, road}] = value;
        }
        // Hashing now and then leaves pages cached, so a page that was not touched would show.
        if (step % 7 == 0) hash_of(attributes);
    }
    ASSERT_TRUE(validate(attributes, kCells).ok());
    std::map<std::pair<std::string, std::uint32_t>, std::int64_t> found_cells;
    Attributes fresh;  // the same values in arrays that were never hashed
    for (const CellColumn& column : attributes.cell) {
        for (const CellId cell : column.present.ids()) {
            if (column.present[cell])
                found_cells[{column.name, cell.value()}] = column.integers[cell];
        }
        CellColumn& copy = fresh.cell.emplace_back();
        copy.name = column.name;
        copy.present = IdArray<CellTag, std::uint8_t>(column.present.values());
        copy.integers = IdArray<CellTag, std::int64_t>(column.integers.values());
    }
    std::map<std::pair<std::string, std::string>, std::int64_t> found_roads;
    for (const RoadColumn& column : attributes.road) {
        for (const RoadColumn::Entry& entry : column.entry) {
            found_roads[{column.name, entry.road}] = std::get<std::int64_t>(entry.value);
        }
    }
    fresh.road = attributes.road;
    EXPECT_EQ(found_cells, cells);
    EXPECT_EQ(found_roads, roads);
    EXPECT_EQ(hash_of(attributes), hash_of(fresh));
}

TEST(Attributes, ValidateFindsWhatNoEditMakes) {
    const auto good = [] {
        Attributes attributes;
        EXPECT_TRUE(apply_edit(set("a", 1.0), cells_of({0}), 4, attributes).ok());
        EXPECT_TRUE(apply_edit(set("b", 1.0), cells_of({0}), 4, attributes).ok());
        EXPECT_TRUE(apply_edit(SetRoadAttribute{"w1", "a", 1.0}, attributes).ok());
        EXPECT_TRUE(apply_edit(SetRoadAttribute{"w2", "a", 1.0}, attributes).ok());
        return attributes;
    };
    EXPECT_TRUE(validate(good(), 4).ok());
    const auto refused = [&](auto spoil) {
        Attributes attributes = good();
        spoil(attributes);
        return !validate(attributes, 4).ok();
    };
    EXPECT_TRUE(refused([](Attributes& a) { std::swap(a.cell[0], a.cell[1]); }));
    EXPECT_TRUE(refused([](Attributes& a) { a.cell[1].name = "a"; }));
    EXPECT_TRUE(refused([](Attributes& a) { a.cell[0].name = ""; }));
    EXPECT_TRUE(refused([](Attributes& a) { a.cell[0].type = ColumnType::text; }));
    EXPECT_TRUE(refused([](Attributes& a) { a.cell[0].type = static_cast<ColumnType>(7); }));
    EXPECT_TRUE(refused([](Attributes& a) { a.cell[0].texts.resize(4); }));
    EXPECT_TRUE(refused([](Attributes& a) { a.cell[0].present.edit(CellId(0)) = 2; }));
    EXPECT_TRUE(refused([](Attributes& a) { a.cell[0].present.edit(CellId(0)) = 0; }));
    EXPECT_TRUE(refused([](Attributes& a) {
        a.cell[0].numbers.edit(CellId(0)) = std::numeric_limits<double>::quiet_NaN();
    }));
    EXPECT_TRUE(refused([](Attributes& a) { a.road[0].entry[1].road = "w1"; }));
    EXPECT_TRUE(refused([](Attributes& a) { a.road[0].entry[1].value = AttributeValue(); }));
    EXPECT_TRUE(refused([](Attributes& a) { a.road[0].entry[1].value = std::int64_t{1}; }));
}

}  // namespace
}  // namespace tw::world
