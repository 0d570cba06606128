#include "terraway/recipe/json_writer.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tw::recipe {
namespace {

TEST(JsonWriter, CompactIsWithoutSpaces) {
    JsonWriter json;
    json.begin_object().member("a", 1).member("b", "x").key("c").begin_array();
    json.value(true)
        .null()
        .value(-5)
        .value(0.5)
        .begin_object()
        .end_object()
        .end_array()
        .end_object();
    EXPECT_EQ(json.text(), R"({"a":1,"b":"x","c":[true,null,-5,0.5,{}]})");
}

TEST(JsonWriter, IndentedKeepsPlainListsOnALine) {
    JsonWriter json(JsonLayout::indented);
    json.begin_object().comment("what").member("a", 1).comment("more").key("b").begin_array();
    json.begin_array().value(1).value(2).end_array().begin_array().end_array().end_array();
    json.key("c").begin_object().end_object().end_object();
    EXPECT_EQ(json.text(),
              "{\n  // what\n  \"a\": 1,\n  // more\n  \"b\": [\n    [1, 2],\n    []\n  ],\n  "
              "\"c\": {}\n}");
}

TEST(JsonWriter, NumbersReadBackEqual) {
    for (const double number :
         {0.1, -0.0, 1.0 / 3.0, 1e300, 5e-324, 123456789.125, std::numeric_limits<double>::max()}) {
        JsonWriter json;
        json.value(number);
        EXPECT_EQ(nlohmann::json::parse(json.text()).get<double>(), number) << json.text();
    }
    JsonWriter json;
    json.begin_array();
    json.value(std::numeric_limits<std::uint64_t>::max())
        .value(std::numeric_limits<std::int64_t>::min());
    json.value(-0.0).end_array();
    EXPECT_EQ(json.text(), "[18446744073709551615,-9223372036854775808,0]");
}

TEST(JsonWriter, AnyBytesBecomeValidText) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    bytes +=
        "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8d \xed\xa0\x80 \xf5\x80\x80\x80 \xc0\x80 \xe2\x82";
    JsonWriter json;
    json.value(bytes);
    const auto parsed = nlohmann::json::parse(json.text(), nullptr, false);  // strict about UTF-8
    ASSERT_TRUE(parsed.is_string());
    const auto text = parsed.get<std::string>();
    EXPECT_EQ(text.substr(0, 128), bytes.substr(0, 128));
    EXPECT_NE(text.find("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8d"), std::string::npos);
}

}  // namespace
}  // namespace tw::recipe
