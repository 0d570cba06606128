#include "terraway/core/result.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tw::Error;
using tw::ErrorCode;
using tw::Result;
using tw::Status;
using tw::Subject;

Error an_error() {
    return {.code = ErrorCode::not_found,
            .stage = "roads",
            .subject = "a.osm:12",
            .message = "no such node; add it"};
}
Result<int> half(int x) {
    if (x % 2 != 0) return an_error();
    return x / 2;
}
Status even(int x) {
    TW_TRY(half(x));
    return tw::ok_status();
}
Result<int> quarter(int x) {
    TW_ASSIGN(const int once, half(x));
    TW_ASSIGN(const int twice, half(once));
    return twice;
}
Result<std::unique_ptr<int>> boxed(int x) {
    TW_ASSIGN(int value, half(x));
    value += 1;
    return std::make_unique<int>(value);
}
Result<int> unboxed(int x) {
    TW_ASSIGN(std::unique_ptr<int> box, boxed(x));  // moved, not copied
    return *box;
}
/// The macros must be one statement where a branch expects one.
Result<int> branches(bool first, int x) {
    if (first)
        TW_TRY(half(x));
    else
        return 7;
    return 8;
}

TEST(Result, HoldsAValueOrAnError) {
    const Result<int> good = half(8), bad = half(7);
    EXPECT_TRUE(good.ok());
    EXPECT_EQ(*good, 4);
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error(), an_error());
    Result<std::vector<int>> list = std::vector<int>{1, 2, 3};
    EXPECT_EQ(list->size(), 3u);
    list->push_back(4);
    const std::vector<int> taken = std::move(list).value();
    EXPECT_EQ(taken.size(), 4u);
}

TEST(Result, MacrosPassErrorsUpAndValuesOn) {
    EXPECT_TRUE(even(4).ok());
    EXPECT_EQ(even(5).error(), an_error());
    EXPECT_EQ(*quarter(12), 3);
    EXPECT_EQ(quarter(10).error(), an_error());
    EXPECT_EQ(quarter(11).error(), an_error());
    EXPECT_EQ(*unboxed(4), 3);
    EXPECT_FALSE(unboxed(3).ok());
    EXPECT_EQ(*branches(true, 2), 8);
    EXPECT_FALSE(branches(true, 1).ok());
    EXPECT_EQ(*branches(false, 1), 7);
}

TEST(Result, EvaluatesItsExpressionOnce) {
    int calls = 0;
    const auto count = [&]() -> Result<int> { return ++calls; };
    const auto use = [&]() -> Result<int> {
        TW_TRY(count());
        TW_ASSIGN(const int value, count());
        return value;
    };
    EXPECT_EQ(*use(), 2);
    EXPECT_EQ(calls, 2);
}

TEST(Subject, IsAnIdOrAPlace) {
    using CellId = tw::Id<struct CellTag>;
    EXPECT_EQ(Subject(CellId(12)).text(), "#12");
    EXPECT_EQ(Subject(CellId()).text(), "none");
    EXPECT_EQ(Subject(tw::StableId(1ull << 63)).text(), "#9223372036854775808");
    EXPECT_EQ(Subject("a.osm:3").text(), "a.osm:3");
    EXPECT_EQ(Subject(std::string("x")), Subject(std::string_view("x")));
    EXPECT_TRUE(Subject().empty());
}

TEST(Error, ReadsAsOneLine) {
    EXPECT_EQ(to_string(an_error()), "roads: a.osm:12: no such node; add it");
    EXPECT_EQ(to_string(Error{.code = {}, .stage = "roads", .subject = {}, .message = "m"}),
              "roads: m");
    EXPECT_EQ(to_string(Error{.code = {}, .stage = {}, .subject = "s", .message = "m"}), "s: m");
    EXPECT_EQ(to_string(Error{.code = {}, .stage = {}, .subject = {}, .message = "m"}), "m");
}

TEST(Error, CodesHaveNames) {
    EXPECT_EQ(tw::to_string(ErrorCode::invalid_option), "invalid_option");
    EXPECT_EQ(tw::to_string(ErrorCode::check_failed), "check_failed");
    EXPECT_EQ(tw::to_string(static_cast<ErrorCode>(250)), "unknown");
}

}  // namespace
