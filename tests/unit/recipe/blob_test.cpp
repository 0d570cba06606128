#include "terraway/recipe/blob.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace tw::recipe {
namespace {

world::ImportedHeights some_heights() {
    world::ImportedHeights heights;
    heights.frame = world::Frame::geographic;
    heights.has_place = 1;
    heights.columns = 3;
    heights.rows = 2;
    heights.pixel = 0.25;
    heights.west = -3.5;
    heights.south = 47.0;
    heights.height = {1024, -2048, world::ImportedHeights::kVoid, 0, 5, 900 * 1024};
    return heights;
}

world::ImportedLines some_lines() {
    world::ImportedLines lines;
    lines.label = {"r0", "w12"};
    lines.attributes =
        IdArray<world::LineTag, world::RoadAttributes>(2, {.width = 7168, .level = -1});
    lines.point_begin = {0, 2, 5};
    lines.x = {0, 1024, 5, 6, 7};
    lines.y = {0, -1024, 5, 6, 8};
    lines.node = {1, 0, 0, 0, 1};
    return lines;
}

TEST(Blob, ReadsBackEqual) {
    const world::Bytes heights = to_blob(some_heights());
    ASSERT_TRUE(blob_kind(heights).ok());
    EXPECT_EQ(*blob_kind(heights), BlobKind::heights);
    const auto heights_again = heights_from_blob(heights);
    ASSERT_TRUE(heights_again.ok()) << to_string(heights_again.error());
    EXPECT_EQ(hash_of(*heights_again), hash_of(some_heights()));
    EXPECT_EQ(heights_again->height, some_heights().height);

    const world::Bytes lines = to_blob(some_lines());
    EXPECT_EQ(*blob_kind(lines), BlobKind::lines);
    const auto lines_again = lines_from_blob(lines);
    ASSERT_TRUE(lines_again.ok()) << to_string(lines_again.error());
    EXPECT_EQ(hash_of(*lines_again), hash_of(some_lines()));
    EXPECT_EQ(lines_again->label, some_lines().label);
}

TEST(Blob, BeginsAsTheHeaderSays) {
    const world::Bytes blob = to_blob(some_lines());
    EXPECT_EQ(std::memcmp(blob.data(), "TWBL\x01\0\0\0\x02\0\0\0\0\0\0\0", 16), 0);
    std::uint64_t payload = 0, checksum = 0;
    std::memcpy(&payload, blob.data() + 16, 8);
    std::memcpy(&checksum, blob.data() + 24, 8);
    EXPECT_EQ(payload, blob.size() - 32);
    EXPECT_EQ(checksum, hash_bytes(std::span(blob).subspan(32)));
}

TEST(Blob, EveryFlippedBitAndEveryCutIsRefused) {
    const world::Bytes blob = to_blob(some_heights());
    for (std::size_t at = 0; at < blob.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            world::Bytes damaged = blob;
            damaged[at] ^= static_cast<std::byte>(1 << bit);
            EXPECT_FALSE(heights_from_blob(damaged).ok()) << at << ":" << bit;
        }
        EXPECT_FALSE(heights_from_blob(std::span(blob).first(at)).ok()) << at;
    }
    world::Bytes longer = blob;
    longer.push_back(std::byte{0});
    EXPECT_FALSE(heights_from_blob(longer).ok());
}

TEST(Blob, TheOtherKindIsRefused) {
    EXPECT_FALSE(heights_from_blob(to_blob(some_lines())).ok());
    EXPECT_FALSE(lines_from_blob(to_blob(some_heights())).ok());
}

TEST(Blob, WhatIsWholeButWrongIsRefused) {
    world::ImportedHeights heights = some_heights();
    heights.columns = 4;
    EXPECT_FALSE(heights_from_blob(to_blob(heights)).ok());
    heights = some_heights();
    heights.frame = static_cast<world::Frame>(7);
    EXPECT_FALSE(heights_from_blob(to_blob(heights)).ok());

    world::ImportedLines lines = some_lines();
    lines.point_begin = {0, 2, 500};
    EXPECT_FALSE(lines_from_blob(to_blob(lines)).ok());
    lines = some_lines();
    lines.point_begin = {0, 4, 2};
    EXPECT_FALSE(lines_from_blob(to_blob(lines)).ok());
    lines = some_lines();
    lines.attributes.edit(world::LineId(1)).road_class = static_cast<world::RoadClass>(99);
    EXPECT_FALSE(lines_from_blob(to_blob(lines)).ok());
    lines = some_lines();
    lines.attributes.edit(world::LineId(0)).width = 0;
    EXPECT_FALSE(lines_from_blob(to_blob(lines)).ok());
}

}  // namespace
}  // namespace tw::recipe
