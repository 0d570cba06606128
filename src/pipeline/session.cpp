#include "terraway/pipeline/session.hpp"

#include "session_state.hpp"
#include "session_update.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <utility>
#include <vector>

namespace tw::pipeline {

class Session::Impl {
public:
    Impl(const WorldRecipe& recipe, SessionState state, const SessionOptions& options)
        : recipe_(recipe),
          options_(options),
          state_(std::move(state)),
          recorders_(state_, journal_),
          update_(recipe_, state_, journal_) {}

    Status apply(std::span<const world::Edit> edits);
    Status undo();
    Status redo();
    const BakedWorld& world() {
        update_.finish(options_.executor ? *options_.executor : serial_);
        return state_.view();
    }

    const ChangeList& changes() const { return changes_; }
    std::size_t undo_count() const { return done_.size(); }
    std::size_t redo_count() const { return undone_.size(); }
    const world::EditList& edits() const { return state_.edits; }
    const world::GroundMeshes& meshes() const { return *state_.meshes; }

private:
    using Steps = std::list<SessionStep>;
    Steps::iterator spare_step();
    /// Its memory serves another step.
    void leave(Steps& from, Steps::iterator step);

    const WorldRecipe recipe_;
    SerialExecutor serial_;
    SessionOptions options_;
    SessionState state_;
    Journal journal_;
    SessionRecorders recorders_;
    SessionUpdate update_;
    SlabPool pool_;
    // Steps move between these with their memory: a steady edit allocates nothing.
    Steps done_, undone_, spare_;
    ChangeList changes_;
};

/// An empty step, in `spare_`.
Session::Impl::Steps::iterator Session::Impl::spare_step() {
    if (spare_.empty()) spare_.emplace_back(pool_);
    return spare_.begin();
}

void Session::Impl::leave(Steps& from, Steps::iterator step) {
    if (step->log.is_vast()) {
        from.erase(step);
        return;
    }
    step->clear();
    spare_.splice(spare_.end(), from, step);
}

Status Session::Impl::apply(std::span<const world::Edit> edits) {
    StageContext context(options_.executor ? *options_.executor : serial_);
    context.cancel = options_.cancel;
    const Steps::iterator step = spare_step();
    journal_.begin(step->log);
    Status status = update_.apply(edits, *step, context);
    journal_.end();
    if (!status) {
        step->log.take_back();
        update_.forget(*step);
        step->clear();
        return status;
    }
    step->edit_count = edits.size();
    std::vector<world::Edit>& all = state_.edits.edit;
    all.insert(all.end(), edits.begin(), edits.end());
    recorders_.list_changes(*step, changes_);
    done_.splice(done_.end(), spare_, step);
    while (!undone_.empty()) leave(undone_, undone_.begin());
    while (done_.size() > options_.undo_steps) leave(done_, done_.begin());
    return ok_status();
}

Status Session::Impl::undo() {
    if (done_.empty()) {
        return Error{.code = ErrorCode::not_found,
                     .stage = "session",
                     .subject = {},
                     .message = "there is no step left to undo"};
    }
    SessionStep& step = done_.back();
    step.log.take_back();
    std::vector<world::Edit>& all = state_.edits.edit;
    const auto first = all.end() - static_cast<std::ptrdiff_t>(step.edit_count);
    step.undone.assign(std::make_move_iterator(first), std::make_move_iterator(all.end()));
    all.erase(first, all.end());
    update_.forget(step);
    recorders_.list_changes(step, changes_);
    undone_.splice(undone_.end(), done_, std::prev(done_.end()));
    return ok_status();
}

Status Session::Impl::redo() {
    if (undone_.empty()) {
        return Error{.code = ErrorCode::not_found,
                     .stage = "session",
                     .subject = {},
                     .message = "there is no step left to do again"};
    }
    SessionStep& step = undone_.back();
    step.log.do_again();
    std::move(step.undone.begin(), step.undone.end(), std::back_inserter(state_.edits.edit));
    step.undone.clear();
    update_.forget(step);
    recorders_.list_changes(step, changes_);
    done_.splice(done_.end(), undone_, std::prev(undone_.end()));
    return ok_status();
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(const WorldRecipe& recipe, BakedWorld world,
                                                 const SessionOptions& options) {
    TW_ASSIGN(SessionState state, SessionState::of(std::move(world)));
    auto impl = std::make_unique<Impl>(recipe, std::move(state), options);
    return std::unique_ptr<Session>(new Session(std::move(impl)));
}

Status Session::apply(std::span<const world::Edit> edits) {
    return impl_->apply(edits);
}
const ChangeList& Session::changes() const {
    return impl_->changes();
}
std::size_t Session::undo_count() const {
    return impl_->undo_count();
}
std::size_t Session::redo_count() const {
    return impl_->redo_count();
}
Status Session::undo() {
    return impl_->undo();
}
Status Session::redo() {
    return impl_->redo();
}
const world::EditList& Session::edits() const {
    return impl_->edits();
}
const world::GroundMeshes& Session::meshes() const {
    return impl_->meshes();
}
std::uint64_t Session::hash() {
    return impl_->world().hash;
}
const BakedWorld& Session::world() {
    return impl_->world();
}

}  // namespace tw::pipeline
