#pragma once
// The program as a user runs it: in a folder of its own, its output and exit code kept.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace tw::test {

namespace fs = std::filesystem;
using nlohmann::json;
using Arguments = std::vector<std::string>;

struct Ran {
    int code = -1;  ///< of the exit; −1: ended by a signal or by the time limit
    std::string out, err;
};

inline std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// A folder of its own for each test.
class Cli : public ::testing::Test {
public:
    Cli() {
        std::string pattern = (fs::temp_directory_path() / "terraway-cli-XXXXXX").string();
        folder_ = mkdtemp(pattern.data()) ? pattern : "";
    }
    ~Cli() override { fs::remove_all(folder_); }

protected:
    fs::path path(const std::string& name) const { return folder_ / name; }
    std::string name(const std::string& file) const { return path(file).string(); }

    /// Starts the program in the test's folder; its output goes to files there.
    pid_t start(const Arguments& arguments) const {
        std::vector<char*> argv;
        std::string program = TERRAWAY_PROGRAM;
        argv.push_back(program.data());
        Arguments copy = arguments;
        for (std::string& argument : copy) argv.push_back(argument.data());
        argv.push_back(nullptr);
        std::fflush(nullptr);  // or the child would print it again
        const pid_t child = fork();
        if (child != 0) return child;
        if (chdir(folder_.c_str()) != 0 || !std::freopen(name("stdout").c_str(), "w", stdout) ||
            !std::freopen(name("stderr").c_str(), "w", stderr)) {
            _exit(126);
        }
        execv(argv[0], argv.data());
        _exit(127);
    }

    /// Waits, but not for ever: a program that hangs is killed and has no exit code.
    Ran finish(pid_t child, std::chrono::seconds limit) const {
        const auto deadline = std::chrono::steady_clock::now() + limit;
        int status = 0;
        while (waitpid(child, &status, WNOHANG) == 0) {
            if (std::chrono::steady_clock::now() > deadline) {
                kill(child, SIGKILL);
                waitpid(child, &status, 0);
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(path("stdout")),
                text_of(path("stderr"))};
    }

    Ran run(const Arguments& arguments) const {
        return finish(start(arguments), std::chrono::seconds(120));
    }

    /// Exit 2, nothing on standard output, and one line on standard error that says `wanted`.
    void expect_refused(const Arguments& arguments, const std::string& wanted) const {
        expect_refusal(run(arguments));
        EXPECT_NE(text_of(path("stderr")).find(wanted), std::string::npos)
            << text_of(path("stderr"));
    }
    static void expect_refusal(const Ran& ran) {
        EXPECT_EQ(ran.code, 2) << ran.err;
        EXPECT_EQ(ran.out, "");
        EXPECT_TRUE(ran.err.starts_with("terraway: ")) << ran.err;
        ASSERT_FALSE(ran.err.empty());
        EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
    }

    /// Names in the test's folder, for seeing what was left behind.
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
            const std::string relative = fs::relative(entry.path(), folder_).string();
            if (relative != "stdout" && relative != "stderr") names.push_back(relative);
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    /// A small island, baked once into "world".
    void bake_small() const {
        ASSERT_EQ(run({"new", "island", "-o", "island.json"}).code, 0);
        const Ran ran = run({"bake", "island.json", "--set", "terrain.cells=600", "--set",
                             "output.raster_longest=128", "-o", "world", "--quiet"});
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.out + ran.err, "");
    }

private:
    fs::path folder_;
};

}  // namespace tw::test
