#include "terraway/core/option_range.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tw {
namespace {

TEST(OptionRange, BothEndsBelongToIt) {
    EXPECT_TRUE(require_range("sites", "cells", 16, 16, 4'000'000).ok());
    EXPECT_TRUE(require_range("sites", "cells", 4'000'000, 16, 4'000'000).ok());
    EXPECT_FALSE(require_range("sites", "cells", 15, 16, 4'000'000).ok());
    EXPECT_FALSE(require_range("sites", "cells", 4'000'001, 16, 4'000'000).ok());
}

TEST(OptionRange, NanIsInNoRange) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(require_range("relief", "gain", nan, -1e300, 1e300).ok());
}

TEST(OptionRange, TheErrorNamesOptionValueAndRange) {
    const Status status = require_range("relief", "gain", 0.95, 0.1, 0.9);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::invalid_option);
    EXPECT_EQ(to_string(status.error()), "relief: gain: 0.95 is out of range; choose 0.1 … 0.9");
}

TEST(OptionRange, NumbersAreShort) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(16), "16");
    EXPECT_EQ(number_text(4'000'000), "4000000");
}

}  // namespace
}  // namespace tw
