#include "terraway/world/edits.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tw::world {
namespace {

constexpr Steps kMetre = kStepsPerMetre;
/// 200 m by 100 m about the origin.
constexpr GridBox kBounds{{-100 * kMetre, -50 * kMetre}, {100 * kMetre, 50 * kMetre}};

constexpr GridPoint at(std::int32_t x, std::int32_t y) {
    return {x * kMetre, y * kMetre};
}
const Brush kBrush{.radius = 10 * kMetre, .falloff = Falloff::smooth};

/// One good edit of each kind, in the order of the variant.
std::vector<EditAction> good_actions() {
    return {RaiseGround{{at(0, 0)}, kBrush, -5 * kMetre},
            FlattenGround{{at(-100, -50), at(100, 50)}, kBrush, 20 * kMetre},
            SetLineHeight{{at(0, 0), at(10, 0)}, {kMetre, 2 * kMetre}, kBrush},
            DigChannel{{at(0, 0), at(50, 0)}, 0, -kMetre, -2 * kMetre},
            SetCellAttribute{at(1, 1), 0, "owner", std::string("Zürich")},
            SetRoadAttribute{"w1", "lanes", std::int64_t{2}},
            AddRoad{"new", {.width = 7 * kMetre}, {at(0, 0), at(9, 9)}},
            DeleteRoad{"w1"},
            SetRoadWidth{"w1", kMaxRoadWidth},
            AddRoadNode{"w1", at(3, 3)},
            MoveRoadNode{"w1", at(3, 3), at(4, 4)},
            DeleteRoadNode{"w1", at(3, 3)},
            PutObstacle{"wall", {at(0, 0), at(9, 0), at(0, 9)}},
            TakeObstacle{"wall"}};
}

Status checked(EditAction action) {
    return validate(Edit{0, std::move(action)}, kBounds);
}
/// Expects a refusal that names the edit, the key and a remedy.
void expect_refused(const EditAction& action, std::string_view part,
                    ErrorCode code = ErrorCode::invalid_input) {
    const Status status = checked(action);
    ASSERT_FALSE(status.ok()) << part;
    EXPECT_EQ(status.error().code, code) << status.error().message;
    EXPECT_EQ(status.error().subject.text(), name_of(action));
    EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("; "), std::string::npos) << "no remedy";
}

TEST(Edits, GoodOnesOfEveryKindPass) {
    const std::vector<EditAction> good = good_actions();
    ASSERT_EQ(good.size(), std::variant_size_v<EditAction>);
    for (std::size_t i = 0; i < good.size(); ++i) {
        ASSERT_EQ(good[i].index(), i);
        const Status status = checked(good[i]);
        EXPECT_TRUE(status.ok()) << to_string(status.error());
    }
}

TEST(Edits, NamesAreThoseOfTheHeader) {
    EXPECT_EQ(name_of(RaiseGround{}), "raise");
    EXPECT_EQ(name_of(SetLineHeight{}), "line_height");
    EXPECT_EQ(name_of(SetCellAttribute{}), "cell_attribute");
    EXPECT_EQ(name_of(AddRoad{}), "add_road");
    EXPECT_EQ(name_of(SetRoadWidth{}), "road_width");
    EXPECT_EQ(name_of(TakeObstacle{}), "take_obstacle");
}

TEST(Edits, PlacesStayInTheWorld) {
    const GridPoint east{100 * kMetre + 1, 0}, south{0, -50 * kMetre - 1};
    expect_refused(RaiseGround{{at(0, 0), east}, kBrush, kMetre}, "path: (100.0009765625, 0)");
    expect_refused(FlattenGround{{south}, kBrush, 0}, "outside the world");
    expect_refused(SetLineHeight{{at(0, 0), east}, {0, 0}, kBrush}, "path");
    expect_refused(DigChannel{{south, at(0, 0)}, 0, 0, 0}, "path");
    expect_refused(SetCellAttribute{east, 0, "a", {}}, "place");
    expect_refused(AddRoad{"r", {.width = kMetre}, {at(0, 0), south}}, "points");
    expect_refused(AddRoadNode{"r", east}, "place");
    expect_refused(MoveRoadNode{"r", east, at(0, 0)}, "from");
    expect_refused(MoveRoadNode{"r", at(0, 0), south}, "to");
    expect_refused(DeleteRoadNode{"r", south}, "place");
    expect_refused(PutObstacle{"o", {at(0, 0), east, at(9, 9)}}, "ring");
    // The farthest that the type holds.
    constexpr std::int32_t kEnd = std::numeric_limits<std::int32_t>::min();
    expect_refused(AddRoadNode{"r", {kEnd, kEnd}}, "place");
}

TEST(Edits, SizesAndHeightsHaveRanges) {
    constexpr ErrorCode kOption = ErrorCode::invalid_option;
    const auto raise = [](Steps radius, Steps amount) {
        return RaiseGround{{at(0, 0)}, {.radius = radius, .falloff = Falloff::linear}, amount};
    };
    EXPECT_TRUE(checked(raise(1, kMaxRaise)).ok());
    EXPECT_TRUE(checked(raise(200 * kMetre, -kMaxRaise)).ok()) << "the longer side";
    expect_refused(raise(0, 1), "radius: 0 m", kOption);
    expect_refused(raise(-1, 1), "radius", kOption);
    expect_refused(raise(200 * kMetre + 1, 1), "to 200 m", kOption);
    expect_refused(raise(1, kMaxRaise + 1), "amount", kOption);
    expect_refused(raise(1, -kMaxRaise - 1), "amount", kOption);
    expect_refused(FlattenGround{{at(0, 0)}, kBrush, kMaxEditHeight + 1}, "height", kOption);
    expect_refused(SetLineHeight{{at(0, 0), at(1, 0)}, {0, -kMaxEditHeight - 1}, kBrush}, "heights",
                   kOption);
    expect_refused(DigChannel{{at(0, 0), at(1, 0)}, -1, 0, 0}, "width", kOption);
    expect_refused(DigChannel{{at(0, 0), at(1, 0)}, 200 * kMetre + 1, 0, 0}, "width", kOption);
    expect_refused(DigChannel{{at(0, 0), at(1, 0)}, 0, kMaxEditHeight + 1, 0}, "bed_from", kOption);
    expect_refused(DigChannel{{at(0, 0), at(1, 0)}, 0, 0, kMaxEditHeight + 1}, "bed_to", kOption);
    expect_refused(SetCellAttribute{at(0, 0), -1, "a", {}}, "radius", kOption);
    expect_refused(SetCellAttribute{at(0, 0), 200 * kMetre + 1, "a", {}}, "radius", kOption);
    expect_refused(SetRoadWidth{"r", 0}, "width", kOption);
    expect_refused(SetRoadWidth{"r", kMaxRoadWidth + 1}, "1000 m", kOption);
    expect_refused(AddRoad{"r", {.width = 0}, {at(0, 0), at(1, 1)}}, "width", kOption);
    expect_refused(AddRoad{"r", {.width = 1, .level = 101}, {at(0, 0), at(1, 1)}}, "level",
                   kOption);
}

TEST(Edits, UnknownValuesOfEnumsAreRefused) {
    constexpr ErrorCode kOption = ErrorCode::invalid_option;
    const auto road = [](RoadAttributes attributes) {
        attributes.width = kMetre;
        return AddRoad{"r", attributes, {at(0, 0), at(1, 1)}};
    };
    expect_refused(RaiseGround{{at(0, 0)}, {kMetre, static_cast<Falloff>(3)}, 1}, "falloff",
                   kOption);
    expect_refused(road({.road_class = static_cast<RoadClass>(kRoadClassCount)}), "class", kOption);
    expect_refused(road({.form = static_cast<RoadForm>(3)}), "form", kOption);
    expect_refused(road({.oneway = static_cast<Oneway>(3)}), "oneway", kOption);
}

TEST(Edits, PathsHaveAsManyPointsAsTheyNeed) {
    expect_refused(RaiseGround{{}, kBrush, 1}, "path: 0 points");
    expect_refused(DigChannel{{at(0, 0)}, 0, 0, 0}, "path: 1 points");
    expect_refused(SetLineHeight{{at(0, 0), at(1, 0)}, {0}, kBrush}, "heights: 1 for 2 points");
    expect_refused(AddRoad{"r", {.width = 1}, {at(0, 0)}}, "points: 1 points");
    expect_refused(PutObstacle{"o", {at(0, 0), at(1, 0)}}, "ring: 2 points");
    expect_refused(RaiseGround{std::vector<GridPoint>(kMaxPathPoints + 1), kBrush, 1}, "100000",
                   ErrorCode::too_large);
    EXPECT_TRUE(checked(RaiseGround{std::vector<GridPoint>(kMaxPathPoints), kBrush, 1}).ok())
        << "a brush may stand still";
}

TEST(Edits, LinesHaveADirectionEverywhere) {
    const std::vector<GridPoint> twice{at(0, 0), at(7, 3), at(7, 3), at(9, 9)};
    expect_refused(AddRoad{"r", {.width = 1}, twice}, "points: (7, 3) is there twice");
    expect_refused(DigChannel{twice, 0, 0, 0}, "(7, 3)");
    expect_refused(SetLineHeight{twice, {0, 0, 0, 0}, kBrush}, "(7, 3)");
    EXPECT_TRUE(checked(AddRoad{"r", {.width = 1}, {at(0, 0), at(1, 0), at(0, 0)}}).ok());
}

TEST(Edits, RingsMeetThemselvesNowhere) {
    expect_refused(PutObstacle{"o", {at(0, 0), at(9, 9), at(9, 0), at(0, 9)}}, "touch");
    expect_refused(PutObstacle{"o", {at(0, 0), at(5, 0), at(9, 0)}}, "touch");
    expect_refused(PutObstacle{"o", {at(0, 0), at(0, 0), at(9, 0), at(0, 9)}}, "no length");
    EXPECT_TRUE(checked(PutObstacle{"o", {at(0, 9), at(9, 0), at(0, 0)}}).ok()) << "clockwise";
}

TEST(Edits, NamesArePrintableText) {
    expect_refused(DeleteRoad{""}, "a name of 0 bytes");
    expect_refused(DeleteRoad{std::string(257, 'a')}, "257");
    EXPECT_TRUE(checked(DeleteRoad{std::string(256, 'a')}).ok());
    expect_refused(TakeObstacle{"a\nb"}, "control");
    expect_refused(TakeObstacle{"a\x7f"}, "control");
    expect_refused(TakeObstacle{"\xc2\x85"}, "control");  // next line, U+0085
    expect_refused(TakeObstacle{"\xff"}, "UTF-8");
    expect_refused(SetRoadAttribute{"r", "\xc0\xaf", {}}, "column");  // an overlong '/'
    expect_refused(SetRoadAttribute{"r\t", "c", {}}, "road");
    EXPECT_TRUE(checked(TakeObstacle{"\xc2\xa0\xf0\x9f\x8c\x8d"}).ok());
}

TEST(Edits, ValuesAreNumbersOrText) {
    const auto set = [](AttributeValue value) {
        return SetRoadAttribute{"r", "c", std::move(value)};
    };
    expect_refused(set(std::numeric_limits<double>::quiet_NaN()), "value");
    expect_refused(set(std::numeric_limits<double>::infinity()), "value");
    expect_refused(set(-std::numeric_limits<double>::infinity()), "value");
    expect_refused(set(std::string("\xed\xa0\x80")), "UTF-8");  // half a surrogate pair
    expect_refused(set(std::string(kMaxTextBytes + 1, 'x')), "4097", ErrorCode::too_large);
    for (const AttributeValue& value :
         {AttributeValue(), AttributeValue(std::numeric_limits<std::int64_t>::min()),
          AttributeValue(std::numeric_limits<double>::max()),
          AttributeValue(std::numeric_limits<double>::denorm_min()),
          AttributeValue(std::string("two\nlines")), AttributeValue(std::string())}) {
        EXPECT_TRUE(checked(set(value)).ok());
    }
}

}  // namespace
}  // namespace tw::world
