#include "terraway/core/utf8.hpp"

#include <gtest/gtest.h>

namespace tw {
namespace {

TEST(Utf8, EveryScalarValueIsWellFormedAndNoOther) {
    for (std::uint32_t code = 0; code < 0x110000; code += code < 0x3000 ? 1 : 37) {
        if (code >= 0xd800 && code <= 0xdfff) continue;
        std::string text;
        append_utf8(text, code);
        const std::size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        ASSERT_EQ(text.size(), length) << code;
        ASSERT_EQ(utf8_length(text), length) << code;
        const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
        ASSERT_EQ(is_printable(text), !control) << code;
        ASSERT_TRUE(is_utf8("a" + text + "b"));
        if (length > 1) {
            ASSERT_FALSE(is_utf8(text.substr(0, length - 1))) << code;
            ASSERT_FALSE(is_utf8(text.substr(1))) << code;
        }
    }
}

// The table of ill-formed sequences in the Unicode Standard, 3.9.
TEST(Utf8, OverlongFormsSurrogatesAndWhatIsBeyondAreRefused) {
    for (const char* text : {"\xc0\xaf", "\xe0\x80\xbf", "\xf0\x81\x82\x41", "\xed\xa0\x80",
                             "\xed\xbf\xbf", "\xf4\x91\x92\x93", "\xff", "\x80"}) {
        EXPECT_FALSE(is_utf8(text));
        EXPECT_FALSE(is_printable(text));
    }
    EXPECT_TRUE(is_utf8(""));
    EXPECT_TRUE(is_printable(""));
}

}  // namespace
}  // namespace tw
