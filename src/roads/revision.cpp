#include "revision.hpp"

namespace tw::roads {
namespace {

constexpr std::int32_t kRoom = 200 * kStepsPerMetre;  ///< round what is looked at first

void add_segments(const Chain& chain, const Common& common, std::int32_t room, BoxSet& boxes) {
    const std::size_t begin = common.front == 0 ? 0 : common.front - 1;
    for (std::size_t i = begin; i + 1 < chain.size() && i + common.back < chain.size(); ++i) {
        boxes.add(grown(geometry::box_of(chain[i].point, chain[i + 1].point), room));
    }
}

}  // namespace

std::vector<std::uint32_t> Revision::near(const BoxSet& boxes) const {
    std::vector<std::uint32_t> keys;
    if (boxes.empty()) return keys;
    const GridBox whole = boxes.is_everything() ? kEverywhere : boxes.whole();
    if (!region_.contains(whole.lo) || !region_.contains(whole.hi)) {
        region_ = boxes.is_everything() ? kEverywhere : grown(whole, kRoom);
        in_region_.clear();
        for (std::uint32_t key = 0; key < before_.box.size(); ++key) {
            if (before_.box[key].intersects(region_)) in_region_.push_back(key);
        }
    }
    const auto ask = [&](std::uint32_t key) {
        if (position(key) != kNone && box_[key].intersects(whole) && boxes.touches(box_[key])) {
            keys.push_back(key);
        }
    };
    // Edited lines may have come from elsewhere.
    for (const std::uint32_t key : in_region_) {
        if (!is_edited(key)) ask(key);
    }
    for (const std::uint32_t key : edited_) ask(key);
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return position(a) < position(b); };
    if (!std::is_sorted(keys.begin(), keys.end(), before)) {
        std::sort(keys.begin(), keys.end(), before);
    }
    return keys;
}

BoxSet Revision::changed_segments(int layer, std::int32_t room) const {
    if (whole()) return BoxSet::everything();
    BoxSet boxes;
    for (const std::uint32_t key : edited_) {
        const Common equal = common(key, layer);
        if (equal.all) continue;
        add_segments(was(key).at(layer), equal, room, boxes);
        add_segments(now(key).at(layer), equal, room, boxes);
    }
    boxes.seal();
    return boxes;
}

void Revision::store(NetworkTrace& trace) && {
    std::sort(edited_.begin(), edited_.end());
    for (const std::uint32_t key : edited_) {
        box_[key] = kNowhere;
        if (position(key) == kNone) continue;
        for (const Layer& layer : now(key).layer) {
            for (const Vertex& v : layer.vertex) box_[key].include(v.point);
        }
    }
    trace.line = before_.line.with(edited_, [&](std::uint32_t key) {
        return position(key) == kNone
                   ? nullptr
                   : std::shared_ptr<const LineTrace>(std::move(line_[slot_[key]]));
    });
    trace.box = std::move(box_);
    trace.order = order_;
}

}  // namespace tw::roads
