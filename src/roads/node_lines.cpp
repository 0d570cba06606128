#include "terraway/geometry/segment.hpp"

#include "revision.hpp"
#include "segments.hpp"

#include <algorithm>

namespace tw::roads {
namespace {

/// [steps] A vertex nearer than this to a segment lies on it. With one step both parts of a cut
/// segment are shorter than it, in whole square steps, so cutting ends.
constexpr std::int64_t kTouch = 1;
struct Cut {
    std::uint32_t segment;
    std::int64_t along;  ///< squared distance from the segment's start
    GridPoint point;
    friend auto operator<=>(const Cut&, const Cut&) = default;
};

std::int64_t dot(GridPoint o, GridPoint a, GridPoint b) {
    return (std::int64_t{a.x} - o.x) * (std::int64_t{b.x} - o.x) +
           (std::int64_t{a.y} - o.y) * (std::int64_t{b.y} - o.y);
}

/// True if p projects strictly inside the segment and lies within kTouch of it.
bool lies_on(const Segment& s, GridPoint p) {
    if (!grown(geometry::box_of(s.a, s.b), static_cast<std::int32_t>(kTouch)).contains(p))
        return false;
    const std::int64_t length2 = distance2(s.a, s.b), along = dot(s.a, s.b, p);
    if (along <= 0 || along >= length2) return false;
    const std::int64_t area = orient2d(s.a, s.b, p);
    // |area| / length < kTouch, squared.
    return wide_product<Int128>(area, area) < wide_product<Int128>(kTouch * kTouch, length2);
}

/// The crossing of two segments that cross properly, rounded to the grid. The quotient is taken
/// from one segment's start, so that moving both moves the point.
GridPoint crossing(const Segment& s, const Segment& t) {
    const std::int64_t dx = std::int64_t{t.b.x} - t.a.x, dy = std::int64_t{t.b.y} - t.a.y;
    const std::int64_t sx = std::int64_t{s.b.x} - s.a.x, sy = std::int64_t{s.b.y} - s.a.y;
    std::int64_t numerator =
        (std::int64_t{t.a.x} - s.a.x) * dy - (std::int64_t{t.a.y} - s.a.y) * dx;
    std::int64_t denominator = sx * dy - sy * dx;
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    const auto part = [&](std::int64_t d) {
        const Int128 twice = wide_product<Int128>(2 * d, numerator) + Int128{denominator};
        return static_cast<std::int32_t>(floor_quotient<Int128>(twice, 2 * denominator));
    };
    return {s.a.x + part(sx), s.a.y + part(sy)};
}

class Meetings {
public:
    explicit Meetings(std::span<const Segment> segments) : segments_(segments) {}

    void meet(std::uint32_t i, std::uint32_t j) {
        const Segment &s = segments_[i], &t = segments_[j];
        bool touched = cut_at(i, t.a);
        touched = cut_at(i, t.b) || touched;
        touched = cut_at(j, s.a) || touched;
        touched = cut_at(j, s.b) || touched;
        if (touched || !geometry::segments_cross(s.a, s.b, t.a, t.b)) return;
        const GridPoint at = crossing(s, t);
        add(i, at);
        add(j, at);
    }
    std::vector<Cut> take() {
        std::sort(cuts_.begin(), cuts_.end());
        cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
        return std::move(cuts_);
    }
    std::size_t size() const { return cuts_.size(); }

private:
    bool cut_at(std::uint32_t segment, GridPoint p) {
        if (!lies_on(segments_[segment], p)) return false;
        add(segment, p);
        return true;
    }
    void add(std::uint32_t segment, GridPoint p) {
        const Segment& s = segments_[segment];
        if (p != s.a && p != s.b) cuts_.push_back({segment, dot(s.a, s.b, p), p});
    }
    std::span<const Segment> segments_;
    std::vector<Cut> cuts_;
};

/// One round: from a layer of all lines to the next.
class Round {
public:
    Round(Revision& revision, int layer, bool all_fresh)
        : revision_(revision), layer_(layer), all_fresh_(all_fresh) {}

    /// True if any line that is another than before grew.
    Result<bool> run(NetworkTrace& trace, const StageContext& ctx) {
        find_suspects();
        gather_segments();
        TW_ASSIGN(const std::vector<Cut> cuts, find_cuts(trace, ctx));
        apply(cuts);
        return grew_;
    }

private:
    /// A line some segments of which may be cut otherwise than before.
    struct Suspect {
        std::uint32_t line;
        std::size_t begin;  ///< of its segments in suspect_
    };

    bool is_fresh(std::uint32_t key) const {
        return all_fresh_ || revision_.now(key).grew_at(layer_);
    }
    /// Without lines before, all segments are new, and those near lines that grew may be cut.
    void suspect_all_near_fresh() {
        std::size_t fresh = 0;
        for (const std::uint32_t key : revision_.edited()) fresh += is_fresh(key);
        if (2 * fresh > revision_.edited().size()) {
            near_ = BoxSet::everything();
        } else {
            for (const std::uint32_t key : revision_.edited()) {
                if (is_fresh(key)) add_near(revision_.now(key).at(layer_));
            }
        }
        near_.seal();
        for (const std::uint32_t key : revision_.near(near_)) {
            const std::size_t size = revision_.now(key).at(layer_).size();
            lines_.push_back({key, suspect_.size()});
            suspect_.resize(suspect_.size() + size, 1);
        }
    }
    void add_near(const Chain& chain) {
        for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
            near_.add(grown(geometry::box_of(chain[i].point, chain[i + 1].point),
                            static_cast<std::int32_t>(kTouch)));
        }
    }
    /// Segments that are new, or that what is new or gone may touch.
    void find_suspects() {
        if (revision_.whole()) return suspect_all_near_fresh();
        const BoxSet changed =
            revision_.changed_segments(layer_, static_cast<std::int32_t>(kTouch));
        for (const std::uint32_t key : revision_.near(changed)) {
            const Chain &chain = revision_.now(key).at(layer_),
                        &before = revision_.was(key).at(layer_);
            const Common common = revision_.common(key, layer_);
            const std::size_t begin = suspect_.size();
            bool any = false;
            for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
                const bool is_new = common.segment_before(i, before.size(), chain.size()) == kNone;
                const GridBox box = geometry::box_of(chain[i].point, chain[i + 1].point);
                const bool wanted = is_new || changed.touches(box);
                suspect_.push_back(wanted);
                if (!wanted) continue;
                any = true;
                near_.add(grown(box, static_cast<std::int32_t>(kTouch)));
            }
            if (any) {
                lines_.push_back({key, begin});
            } else {
                suspect_.resize(begin);
            }
        }
        near_.seal();
    }
    /// The suspects and all that may touch them, in the order of lines.
    void gather_segments() {
        for (const std::uint32_t key : revision_.near(near_)) {
            const LineTrace& line = revision_.now(key);
            const Chain& chain = line.at(layer_);
            const std::uint8_t fresh = is_fresh(key);
            for (std::uint32_t i = 0; i + 1 < chain.size(); ++i) {
                const Segment s{chain[i].point, chain[i + 1].point, key, i, line.attributes.level};
                if (!near_.touches(s.box())) continue;
                segments_.push_back(s);
                fresh_.push_back(fresh);
            }
        }
    }
    /// Lines that did not grow in the round before do not cut one another in this one.
    Result<std::vector<Cut>> find_cuts(NetworkTrace& trace, const StageContext& ctx) const {
        const geometry::RTree tree = tree_of(segments_);
        Meetings meetings(segments_);
        const std::size_t held = revision_.before().meetings;
        for (std::uint32_t i = 0; i < segments_.size(); ++i) {
            if (!fresh_[i]) continue;
            const GridBox box = grown(segments_[i].box(), static_cast<std::int32_t>(kTouch));
            tree.for_each(box, [&](std::uint32_t j) {
                // A pair of fresh segments is met once, from the lower one.
                if (j == i || (j < i && fresh_[j])) return;
                if (segments_[i].level != segments_[j].level) return;
                meetings.meet(std::min(i, j), std::max(i, j));
            });
            if (held + meetings.size() > kMostMeetings) {
                return Error{
                    ErrorCode::too_large,
                    std::string(kStage),
                    {},
                    "the lines meet more than 8 million times; give fewer lines, or levels"};
            }
            if (i % 1024 == 0 && ctx.cancelled()) return cancelled_error(kStage);
        }
        trace.meetings = std::max(trace.meetings, held + meetings.size());
        return meetings.take();
    }
    void apply(std::span<const Cut> cuts) {
        std::size_t cut = 0;
        for (const Suspect& suspect : lines_) {
            const std::uint32_t at = revision_.position(suspect.line);
            const auto line_at = [&](std::size_t c) {
                return revision_.position(segments_[cuts[c].segment].line);
            };
            while (cut < cuts.size() && line_at(cut) < at) ++cut;
            std::size_t end = cut;
            while (end < cuts.size() && line_at(end) == at) ++end;
            grow(suspect, cuts.subspan(cut, end - cut));
            cut = end;
        }
        // What is as it was and touches nothing new is so in the next layer, too.
        for (const std::uint32_t key : revision_.edited()) {
            const LineTrace& was = revision_.was(key);
            if (!was.grew_at(layer_ + 1) || is_suspect(key)) continue;
            if (revision_.common(key, layer_).all) set_next(key, was.at(layer_ + 1));
        }
    }
    bool is_suspect(std::uint32_t key) const {
        const auto at = std::lower_bound(
            lines_.begin(), lines_.end(), revision_.position(key),
            [&](const Suspect& s, std::uint32_t p) { return revision_.position(s.line) < p; });
        return at != lines_.end() && at->line == key;
    }
    void set_next(std::uint32_t key, Chain chain) {
        revision_.edit(key, layer_);
        revision_.add_layer(key, layer_ + 1, std::move(chain));
        grew_ = true;
    }
    void grow(const Suspect& suspect, std::span<const Cut> cuts) {
        const LineTrace &was = revision_.was(suspect.line), &now = revision_.now(suspect.line);
        const bool grew_before = was.grew_at(layer_ + 1);
        if (cuts.empty() && !grew_before) return;
        const Chain &chain = now.at(layer_), &before = was.at(layer_);
        const Chain& before_next = was.at(layer_ + 1);
        const Common common = revision_.common(suspect.line, layer_);
        const std::vector<std::size_t> anchor = anchors(before, before_next);
        Chain next;
        next.reserve(chain.size() + cuts.size());
        std::size_t cut = 0;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            next.push_back(chain[i]);
            if (i + 1 == chain.size()) break;
            const bool cut_anew = suspect_[suspect.begin + i] != 0;
            for (; cut < cuts.size() && segments_[cuts[cut].segment].index == i; ++cut) {
                if (cut_anew) next.push_back({cuts[cut].point, kNoTie});
            }
            if (cut_anew) continue;
            const std::uint32_t old = common.segment_before(i, before.size(), chain.size());
            next.insert(next.end(),
                        before_next.begin() + static_cast<std::ptrdiff_t>(anchor[old] + 1),
                        before_next.begin() + static_cast<std::ptrdiff_t>(anchor[old + 1]));
        }
        if (!revision_.is_edited(suspect.line)) {
            if (next == before_next) return;
            revision_.edit(suspect.line, layer_);
        }
        if (next.size() != chain.size()) set_next(suspect.line, std::move(next));
    }
    /// Where the vertices of a chain stand in the next layer's: a cut is never its segment's end.
    static std::vector<std::size_t> anchors(const Chain& chain, const Chain& next) {
        std::vector<std::size_t> anchor;
        anchor.reserve(chain.size());
        std::size_t at = 0;
        for (const Vertex& v : chain) {
            while (next[at].point != v.point) ++at;
            anchor.push_back(at++);
        }
        return anchor;
    }

    Revision& revision_;
    int layer_;
    bool all_fresh_;
    std::vector<Suspect> lines_;         ///< in their order
    std::vector<std::uint8_t> suspect_;  ///< by segment of the lines
    BoxSet near_;
    std::vector<Segment> segments_;
    std::vector<std::uint8_t> fresh_;  ///< by segment: its line grew in the round before
    bool grew_ = false;
};

}  // namespace

Status node_lines(Revision& revision, int first, NetworkTrace& trace, const StageContext& ctx) {
    const bool joined = first == kJoined;
    const int grown_before = joined ? revision.before().grown_final : revision.before().grown_noded;
    int& grown = joined ? trace.grown_final : trace.grown_noded;
    grown = std::max(grown, grown_before);
    for (int layer = first; layer < first + kMostRounds; ++layer) {
        // Lines that are noded and not joined otherwise have no cuts to make.
        const bool all_fresh = layer == first && (!joined || trace.unsettled);
        TW_ASSIGN(const bool grew, Round(revision, layer, all_fresh).run(trace, ctx));
        if (grew) grown = std::max(grown, layer + 1);
        if (!grew && grown_before <= layer) break;
    }
    if (grown == first + kMostRounds) trace.unsettled = true;
    return ok_status();
}

}  // namespace tw::roads
