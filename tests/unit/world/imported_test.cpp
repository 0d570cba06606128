#include "terraway/world/imported.hpp"

#include <gtest/gtest.h>

namespace tw::world {
namespace {

ImportedLines good_lines() {
    ImportedLines lines;
    lines.label = {std::string("a"), std::string("b")};
    lines.attributes = {RoadAttributes{.width = 4096}, RoadAttributes{.width = 4096}};
    lines.point_begin = {0u, 2u, 4u};
    lines.x = {0, 10, 20, 30};
    lines.y = {0, 10, 20, 30};
    lines.node = {0u, 1u, 1u, 0u};
    return lines;
}
void expect_refused(const ImportedLines& lines, std::string_view what) {
    const Status status = validate(lines);
    ASSERT_FALSE(status.ok()) << what;
    EXPECT_EQ(status.error().code, ErrorCode::invalid_input) << what;
}

TEST(Imported, EveryBrokenPartOfLinesIsNoticed) {
    EXPECT_TRUE(validate(good_lines()).ok());
    ImportedLines lines = good_lines();
    lines.label.edit(LineId(1)) = "a";
    expect_refused(lines, "equal labels");
    lines = good_lines();
    lines.attributes.edit(LineId(0)).width = 0;
    expect_refused(lines, "no width");
    lines = good_lines();
    lines.point_begin.edit(LineId(1)) = 3;
    expect_refused(lines, "one point");
    lines = good_lines();
    lines.point_begin.edit(LineId(1)) = 9;
    expect_refused(lines, "out of order");
    lines = good_lines();
    lines.y.push_back(3);
    expect_refused(lines, "sizes");
    lines = good_lines();
    lines.frame = Frame::geographic;
    lines.y.edit(LinePointId(3)) = 900'000'001;
    expect_refused(lines, "beyond the pole");
    lines = good_lines();
    lines.attributes.edit(LineId(0)).road_class = static_cast<RoadClass>(200);
    expect_refused(lines, "unknown class");
    expect_refused(ImportedLines{}, "no arrays at all");
}

TEST(Imported, EveryBrokenPartOfHeightsIsNoticed) {
    ImportedHeights good{.has_place = 1, .columns = 2, .rows = 1, .pixel = 30.0, .height = {}};
    good.height = {1, ImportedHeights::kVoid};
    EXPECT_TRUE(validate(good).ok());
    ImportedHeights bad = good;
    bad.rows = 2;
    EXPECT_FALSE(validate(bad).ok());
    bad = good;
    bad.pixel = 0.0;
    EXPECT_FALSE(validate(bad).ok());
    bad = good;
    bad.frame = Frame::geographic;
    EXPECT_TRUE(validate(bad).ok());
    bad.pixel = 300.0;
    EXPECT_FALSE(validate(bad).ok()) << "600 degrees";
    bad = good;
    bad.west = 1e300;
    EXPECT_FALSE(validate(bad).ok());
}

}  // namespace
}  // namespace tw::world
