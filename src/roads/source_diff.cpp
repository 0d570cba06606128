#include "source_diff.hpp"

namespace tw::roads {

using world::RoadId;
using world::RoadLines;

namespace {

template <class T>
std::shared_ptr<const std::vector<T>> shared(const std::vector<T>& values,
                                             const std::shared_ptr<const std::vector<T>>& before) {
    const bool equal = before && same(std::span<const T>(*before), std::span<const T>(values));
    return equal ? before : std::make_shared<const std::vector<T>>(values);
}

}  // namespace

Snapshot snapshot_of(const RoadLines& lines, const Snapshot& before) {
    return {.label = shared(lines.label.values(), before.label),
            .attributes = shared(lines.attributes.values(), before.attributes),
            .begin = shared(lines.point_begin.values(), before.begin),
            .point = shared(lines.point.values(), before.point),
            .node = shared(lines.node.values(), before.node)};
}

SourceDiff::SourceDiff(const Snapshot& before, const RoadLines& lines)
    : before_(before),
      lines_(lines),
      in_place_(same(lines.label.span(), *before.label) &&
                same(lines.point_begin.span(), std::span(*before.begin))) {
    if (in_place_) {
        compare_in_place();
    } else {
        compare_and_match();
    }
}

Snapshot SourceDiff::snapshot() const {
    if (!in_place_) return snapshot_of(lines_, before_);
    Snapshot now = before_;
    now.attributes = shared(lines_.attributes.values(), before_.attributes);
    if (!same_points_)
        now.point = std::make_shared<const std::vector<GridPoint>>(lines_.point.values());
    if (!same_nodes_)
        now.node = std::make_shared<const std::vector<std::uint64_t>>(lines_.node.values());
    return now;
}

bool SourceDiff::equal(std::uint32_t a, std::uint32_t b) const {
    const RoadId line(b);
    const std::uint32_t begin = (*before_.begin)[a];
    const std::span<const GridPoint> points = lines_.points(line);
    if ((*before_.begin)[a + 1] - begin != points.size()) return false;
    return (*before_.attributes)[a] == lines_.attributes[line] &&
           same(points, std::span(*before_.point).subspan(begin, points.size())) &&
           same(nodes_of(lines_, line), std::span(*before_.node).subspan(begin, points.size())) &&
           (*before_.label)[a] == lines_.label[line];
}

/// Of equal labels and counts: blocks of points at once.
void SourceDiff::compare_in_place() {
    constexpr std::size_t kBlock = 2048;
    const auto count = static_cast<std::uint32_t>(lines_.label.size());
    std::vector<std::uint8_t> suspect(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        suspect[i] = (*before_.attributes)[i] != lines_.attributes[RoadId(i)];
    }
    const std::span<const std::uint32_t> begin = lines_.point_begin.span();
    std::uint32_t line = 0;
    for (std::size_t at = 0; at < lines_.point.size(); at += kBlock) {
        const std::size_t size = std::min(kBlock, lines_.point.size() - at);
        const bool points = same(lines_.point.span().subspan(at, size),
                                 std::span(*before_.point).subspan(at, size));
        const bool nodes =
            same(lines_.node.span().subspan(at, size), std::span(*before_.node).subspan(at, size));
        same_points_ = same_points_ && points;
        same_nodes_ = same_nodes_ && nodes;
        if (points && nodes) continue;
        while (begin[line + 1] <= at) ++line;
        for (std::uint32_t i = line; i < count && begin[i] < at + size; ++i) suspect[i] = 1;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        if (suspect[i] && !equal(i, i)) changes_.push_back({i, i});
    }
    front_ = count;
}

void SourceDiff::compare_and_match() {
    const auto old_count = static_cast<std::uint32_t>(before_.label->size());
    const auto count = static_cast<std::uint32_t>(lines_.label.size());
    const std::uint32_t least = std::min(old_count, count);
    while (front_ < least && equal(front_, front_)) ++front_;
    while (back_ < least - front_ && equal(old_count - 1 - back_, count - 1 - back_)) ++back_;
    std::vector<std::uint32_t> old_lines, new_lines;
    for (std::uint32_t i = front_; i < old_count - back_; ++i) {
        if (old_count == count && (*before_.label)[i] == lines_.label[RoadId(i)]) {
            if (!equal(i, i)) changes_.push_back({i, i});
            continue;
        }
        old_lines.push_back(i);
        if (old_count == count) new_lines.push_back(i);
    }
    if (old_count != count) {
        for (std::uint32_t i = front_; i < count - back_; ++i) new_lines.push_back(i);
    }
    match(old_lines, new_lines);
}

void SourceDiff::match(std::vector<std::uint32_t>& old_lines,
                       std::vector<std::uint32_t>& new_lines) {
    const auto old_label = [&](std::uint32_t i) -> const std::string& {
        return (*before_.label)[i];
    };
    const auto label = [&](std::uint32_t i) -> const std::string& {
        return lines_.label[RoadId(i)];
    };
    const auto sort = [](std::vector<std::uint32_t>& of, const auto& label_of) {
        std::sort(of.begin(), of.end(), [&](std::uint32_t a, std::uint32_t b) {
            const int by_label = label_of(a).compare(label_of(b));
            return by_label != 0 ? by_label < 0 : a < b;
        });
    };
    sort(old_lines, old_label);
    sort(new_lines, label);
    auto a = old_lines.begin();
    auto b = new_lines.begin();
    while (a != old_lines.end() || b != new_lines.end()) {
        const int order = a == old_lines.end()   ? 1
                          : b == new_lines.end() ? -1
                                                 : old_label(*a).compare(label(*b));
        const Change change{order <= 0 ? *a++ : kNone, order >= 0 ? *b++ : kNone};
        if (order == 0 && equal(change.before, change.now)) {
            moves_.push_back(change);
        } else {
            changes_.push_back(change);
        }
    }
}

}  // namespace tw::roads
