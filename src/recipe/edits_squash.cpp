#include "terraway/recipe/edits.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tw::recipe {
namespace {

using world::EditList;

/// What comes and goes by name within the list: walked forward.
class Pairs {
public:
    explicit Pairs(std::vector<bool>& dropped) : dropped_(dropped) {}

    void walk(const EditList& list) {
        for (at_ = 0; at_ < list.edit.size(); ++at_) std::visit(*this, list.edit[at_].action);
    }

    void operator()(const world::PutObstacle& edit) { standing_[edit.obstacle] = at_; }
    void operator()(const world::TakeObstacle& edit) {
        const auto put = standing_.find(edit.obstacle);
        if (put == standing_.end()) return;  // it stood before the list
        dropped_[put->second] = dropped_[at_] = true;
        standing_.erase(put);
    }

    void operator()(const world::AddRoad& edit) { void_with_[edit.road] = {at_}; }
    void operator()(const world::DeleteRoad& edit) {
        const auto road = void_with_.find(edit.road);
        if (road == void_with_.end()) return;
        for (const std::size_t i : road->second) dropped_[i] = true;
        dropped_[at_] = true;
        void_with_.erase(road);
    }
    void operator()(const world::SetRoadWidth& edit) { concerns_only(edit.road); }
    void operator()(const world::AddRoadNode& edit) { concerns_only(edit.road); }
    void operator()(const world::DeleteRoadNode& edit) { concerns_only(edit.road); }
    void operator()(const world::MoveRoadNode& edit) { void_with_.erase(edit.road); }
    void operator()(const world::SetRoadAttribute& edit) { void_with_.erase(edit.road); }
    void operator()(const auto&) {}

private:
    void concerns_only(const std::string& road) {
        const auto found = void_with_.find(road);
        if (found != void_with_.end()) found->second.push_back(at_);
    }

    std::vector<bool>& dropped_;
    std::size_t at_ = 0;
    std::map<std::string_view, std::size_t> standing_;  ///< where they were put up
    /// Roads that were added, with the edits that nothing but the road depends on.
    std::map<std::string_view, std::vector<std::size_t>> void_with_;
};

/// What later edits take the place of: walked backward.
class Replaced {
public:
    explicit Replaced(std::vector<bool>& dropped) : dropped_(dropped) {}

    void walk(const EditList& list) {
        for (at_ = list.edit.size(); at_-- > 0;) {
            if (!dropped_[at_]) std::visit(*this, list.edit[at_].action);
        }
    }

    void operator()(const world::SetCellAttribute& edit) {
        dropped_[at_] = replaced(cells_[{edit.column, edit.place, edit.radius}], edit.value);
    }
    void operator()(const world::SetRoadAttribute& edit) {
        dropped_[at_] = replaced(later_[edit.road].value[edit.column], edit.value);
    }
    void operator()(const world::SetRoadWidth& edit) {
        bool& width = later_[edit.road].width_is_void;
        dropped_[at_] = width;
        width = true;
    }
    /// What was said before was said of a road that is no more.
    void operator()(const world::DeleteRoad& edit) {
        later_[edit.road] = {.value = {}, .width_is_void = true};
    }
    void operator()(const world::AddRoad& edit) { later_.erase(edit.road); }
    /// It may delete the road, and its values with it.
    void operator()(const world::DeleteRoadNode& edit) { later_[edit.road].value.clear(); }
    void operator()(const auto&) {}

private:
    /// What comes later for the same thing in the same column.
    enum class Later : std::uint8_t { nothing, taken_away, set };
    struct Road {
        std::map<std::string_view, Later> value;  ///< by column
        bool width_is_void = false;
    };
    static bool replaced(Later& later, const world::AttributeValue& value) {
        const bool takes = std::holds_alternative<std::monostate>(value);
        if (later == Later::set || (later == Later::taken_away && takes)) return true;
        later = takes ? Later::taken_away : Later::set;
        return false;
    }

    std::vector<bool>& dropped_;
    std::size_t at_ = 0;
    std::map<std::tuple<std::string_view, GridPoint, Steps>, Later> cells_;
    std::map<std::string_view, Road> later_;
};

}  // namespace

EditList squash(const EditList& list) {
    std::vector<bool> dropped(list.edit.size(), false);
    Pairs(dropped).walk(list);
    Replaced(dropped).walk(list);
    EditList kept;
    for (std::size_t i = 0; i < list.edit.size(); ++i) {
        if (!dropped[i]) kept.edit.push_back(list.edit[i]);
    }
    return kept;
}

}  // namespace tw::recipe
