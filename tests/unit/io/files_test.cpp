#include "terraway/io/files.hpp"

#include "unit/io/test_data.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace tw::io {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;
using test::ScratchFolder;

std::string content(const fs::path& path) {
    const auto bytes = read_file(path);
    EXPECT_TRUE(bytes.ok());
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                 : std::string();
}

std::size_t entries_in(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Files, WriteThenReadGivesTheSameBytes) {
    const ScratchFolder scratch;
    std::string text(3'000'000, 'x');
    for (std::size_t i = 0; i < text.size(); i += 97) text[i] = static_cast<char>(i);
    ASSERT_TRUE(write_file(scratch.path() / "a", text).ok());
    EXPECT_EQ(content(scratch.path() / "a"), text);
    ASSERT_TRUE(write_file(scratch.path() / "a", "short").ok());
    EXPECT_EQ(content(scratch.path() / "a"), "short");
    EXPECT_EQ(entries_in(scratch.path()), 1u) << "nothing beside the file is left";
}

TEST(Files, ErrorsSayWhatToDo) {
    const ScratchFolder scratch;
    EXPECT_EQ(read_file(scratch.path() / "none").error().code, ErrorCode::not_found);
    EXPECT_EQ(read_file(scratch.path()).error().code, ErrorCode::io);
    ASSERT_TRUE(write_file(scratch.path() / "a", "12345").ok());
    EXPECT_EQ(read_file(scratch.path() / "a", 4).error().code, ErrorCode::too_large);
    EXPECT_EQ(read_file(scratch.path() / "a", 5)->size(), 5u);
    EXPECT_EQ(read_file_start(scratch.path() / "a", 2)->size(), 2u);
}

TEST(Files, AFailedWriteLeavesTheOldFile) {
    const ScratchFolder scratch;
    fs::create_directory(scratch.path() / "folder");
    EXPECT_FALSE(write_file(scratch.path() / "folder", "text").ok()) << "a folder is not replaced";
    EXPECT_TRUE(fs::is_directory(scratch.path() / "folder"));
    EXPECT_EQ(entries_in(scratch.path()), 1u);
}

TEST(Files, AFailedWriteNamesTheFileThatWasAskedFor) {
    const ScratchFolder scratch;
    ASSERT_TRUE(write_file(scratch.path() / "file", "text").ok());
    for (const fs::path& path : {scratch.path() / "none/wanted", scratch.path() / "file/wanted"}) {
        const auto written = write_file(path, "text");
        ASSERT_FALSE(written.ok());
        EXPECT_EQ(written.error().code, ErrorCode::io);
        EXPECT_EQ(written.error().subject.text(), path.string());
        EXPECT_NE(written.error().message.find("; "), std::string::npos) << "a remedy";
        EXPECT_EQ(written.error().message.find(".new-"), std::string::npos);
    }
    // A folder that stands where the staged file goes.
    auto staged = StagedFolder::open(scratch.path());
    ASSERT_TRUE(staged.ok());
    ASSERT_TRUE(staged->add("layers/a.png", bytes_of("a")).ok());
    const auto again = staged->add("layers", bytes_of("a"));
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().subject.text(), (scratch.path() / "layers").string());
}

TEST(StagedFolder, NothingAppearsBeforePublish) {
    const ScratchFolder scratch;
    const fs::path target = scratch.path() / "deep/world";
    {
        auto staged = StagedFolder::open(target);
        ASSERT_TRUE(staged.ok());
        ASSERT_TRUE(staged->add("layers/a.png", bytes_of("a")).ok());
        EXPECT_FALSE(fs::exists(target / "layers"));
    }
    EXPECT_EQ(entries_in(scratch.path()), 0u) << "a folder made for nothing goes away again";
}

TEST(StagedFolder, PublishReplacesFileByFile) {
    const ScratchFolder scratch;
    ASSERT_TRUE(write_file(scratch.path() / "world.json", "old").ok());
    ASSERT_TRUE(write_file(scratch.path() / "mine.txt", "mine").ok());
    {
        auto staged = StagedFolder::open(scratch.path());
        ASSERT_TRUE(staged.ok());
        ASSERT_TRUE(staged->add("world.json", bytes_of("new")).ok());
        ASSERT_TRUE(staged->add("layers/a.png", bytes_of("a")).ok());
        EXPECT_EQ(content(scratch.path() / "world.json"), "old");
        const std::vector<std::string> names = {"layers/a.png", "world.json"};
        ASSERT_TRUE(staged->publish(names).ok());
    }
    EXPECT_EQ(content(scratch.path() / "world.json"), "new");
    EXPECT_EQ(content(scratch.path() / "layers/a.png"), "a");
    EXPECT_EQ(content(scratch.path() / "mine.txt"), "mine");
    EXPECT_EQ(entries_in(scratch.path()), 3u) << "the staging folder is gone";
}

}  // namespace
}  // namespace tw::io
