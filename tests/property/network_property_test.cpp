// A network that is updated equals one that is built, whatever is done to its lines.

#include "support/network_history.hpp"
#include "support/road_lines.hpp"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace tw::roads {
namespace {

using test::Draw;
using test::NetworkHistory;
using world::RoadLines;

int wanted_histories() {
    const char* wanted = std::getenv("TERRAWAY_HISTORIES");
    return wanted ? std::atoi(wanted) : 60;
}

/// Lines of a small world that does everything that lines can do badly.
class Mess {
public:
    explicit Mess(std::uint64_t seed) : draw_(seed) {
        reach_ = draw_.between(4, 60) * kStepsPerMetre;
        grid_ = draw_.between(0, 2) == 0 ? 1 : draw_.between(1, 8) * 512;
        twins_ = draw_.between(0, 5) == 0;
        nodes_ = draw_.between(0, 3);
        const int count = draw_.between(1, 25);
        for (int i = 0; i < count; ++i) add();
    }
    RoadLines lines() const {
        RoadLines out = RoadLines::none();
        for (const Entry& line : line_) {
            out.label.push_back(line.label);
            out.attributes.push_back(line.attributes);
            for (std::size_t i = 0; i < line.points.size(); ++i) {
                out.point.push_back(line.points[i]);
                out.node.push_back(line.nodes[i]);
            }
            out.point_begin.push_back(static_cast<std::uint32_t>(out.point.size()));
        }
        return out;
    }
    void change() {
        const int kind = draw_.between(0, 19);
        if (line_.empty() || kind < 2) return add();
        const std::size_t at = pick(line_.size());
        Entry& line = line_[at];
        if (kind == 2) {
            line_.erase(line_.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (kind == 3) {
            line.attributes.width = width();
        } else if (kind == 4) {
            set_attributes(line);
        } else if (kind == 5) {
            std::swap(line, line_[pick(line_.size())]);
        } else if (kind == 6) {
            std::reverse(line.points.begin(), line.points.end());
            std::reverse(line.nodes.begin(), line.nodes.end());
        } else if (kind == 7) {
            line.nodes[pick(line.nodes.size())] = node();
        } else if (kind == 8 && line.points.size() > 1) {
            const auto i = static_cast<std::ptrdiff_t>(pick(line.points.size()));
            line.points.erase(line.points.begin() + i);
            line.nodes.erase(line.nodes.begin() + i);
        } else if (kind < 12) {
            const auto i = static_cast<std::ptrdiff_t>(pick(line.points.size() + 1));
            line.points.insert(line.points.begin() + i, point());
            line.nodes.insert(line.nodes.begin() + i, node());
        } else if (kind < 14) {
            move_all_at(line.points[pick(line.points.size())]);
        } else {
            line.points[pick(line.points.size())] = point();
        }
    }

private:
    struct Entry {
        std::string label;
        world::RoadAttributes attributes;
        std::vector<GridPoint> points;
        std::vector<std::uint64_t> nodes;
    };
    std::size_t pick(std::size_t count) {
        return static_cast<std::size_t>(draw_.between(0, static_cast<std::int32_t>(count) - 1));
    }
    Steps width() { return draw_.between(1, 3) * 2048; }
    std::uint64_t node() {
        return draw_.between(0, 3) < nodes_ ? static_cast<std::uint64_t>(draw_.between(1, 12)) : 0;
    }
    /// Anywhere, where a point is already, or close to one.
    GridPoint point() {
        const int kind = draw_.between(0, 5);
        if (kind < 3 || line_.empty()) {
            const GridPoint p = draw_.point(reach_);
            return {p.x / grid_ * grid_, p.y / grid_ * grid_};
        }
        const Entry& line = line_[pick(line_.size())];
        const GridPoint p = line.points[pick(line.points.size())];
        return kind == 3 ? p : p + draw_.point(kind == 4 ? 2048 : 3);
    }
    void set_attributes(Entry& line) {
        line.attributes.width = width();
        line.attributes.level = static_cast<std::int8_t>(std::max(0, draw_.between(-3, 2)) -
                                                         (draw_.between(0, 9) == 0));
        line.attributes.road_class = static_cast<world::RoadClass>(draw_.between(4, 5));
        line.attributes.oneway = static_cast<world::Oneway>(std::max(0, draw_.between(-3, 2)));
    }
    void add() {
        Entry line;
        line.label = "r" + std::to_string(twins_ ? draw_.between(0, 20) : next_++ * 37 % 1000);
        set_attributes(line);
        if (draw_.between(0, 7) == 0 && !line_.empty()) {
            const Entry& other = line_[pick(line_.size())];
            line.points = other.points;
            line.nodes = other.nodes;
        } else {
            const int count = draw_.between(1, 7);
            for (int i = 0; i < count; ++i) {
                line.points.push_back(point());
                line.nodes.push_back(node());
            }
            if (draw_.between(0, 6) == 0) {
                line.points.push_back(line.points.front());
                line.nodes.push_back(line.nodes.front());
            }
        }
        line_.insert(line_.begin() + static_cast<std::ptrdiff_t>(pick(line_.size() + 1)), line);
    }
    void move_all_at(GridPoint from) {
        const GridPoint to = point();
        for (Entry& line : line_) std::replace(line.points.begin(), line.points.end(), from, to);
    }

    Draw draw_;
    std::int32_t reach_ = 0, grid_ = 1;
    bool twins_ = false;
    int nodes_ = 0, next_ = 0;
    std::vector<Entry> line_;
};

TEST(NetworkLaw, AnUpdatedNetworkIsTheBuiltOne) {
    const char* first = std::getenv("TERRAWAY_HISTORY_SEED");
    const int begin = first ? std::atoi(first) : 0;
    for (int seed = begin; seed < begin + wanted_histories(); ++seed) {
        Mess mess(static_cast<std::uint64_t>(seed));
        NetworkHistory history(seed % 3 == 0 ? 0.0 : seed % 3 == 1 ? 2.0 : 7.0);
        ASSERT_NO_FATAL_FAILURE(history.start(mess.lines()));
        for (int step = 0; step < 40; ++step) {
            const int changes = step % 5 == 4 ? 3 : 1;
            for (int i = 0; i < changes; ++i) mess.change();
            ASSERT_TRUE(history.step(mess.lines())) << "seed " << seed << " step " << step;
            if (step % 4 != 3) continue;
            ASSERT_TRUE(history.step_from_before(mess.lines()))
                << "seed " << seed << " step " << step << " from the step before";
        }
    }
}

}  // namespace
}  // namespace tw::roads
