#include "terraway/pipeline/session.hpp"

#include "session_state.hpp"
#include "session_update.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

namespace tw::pipeline {

class Session::Impl {
public:
    Impl(const WorldRecipe& recipe, SessionState state, const SessionOptions& options)
        : recipe_(recipe),
          options_(options),
          state_(std::move(state)),
          recorders_(state_, journal_),
          update_(recipe_, state_, journal_) {}

    Result<ChangeList> apply(std::span<const world::Edit> edits);
    Result<ChangeList> undo();
    Result<ChangeList> redo();
    const BakedWorld& world() {
        update_.finish(options_.executor ? *options_.executor : serial_);
        return state_.view();
    }

    std::size_t undo_count() const { return done_.size(); }
    std::size_t redo_count() const { return undone_.size(); }
    const world::EditList& edits() const { return state_.edits; }
    const world::GroundMeshes& meshes() const { return *state_.meshes; }

private:
    const WorldRecipe recipe_;
    SerialExecutor serial_;
    SessionOptions options_;
    SessionState state_;
    Journal journal_;
    SessionRecorders recorders_;
    SessionUpdate update_;
    std::deque<SessionStep> done_, undone_;
};

Result<ChangeList> Session::Impl::apply(std::span<const world::Edit> edits) {
    StageContext context(options_.executor ? *options_.executor : serial_);
    context.cancel = options_.cancel;
    SessionStep step;
    Status status = update_.apply(edits, step, context);
    step.deltas = journal_.close();
    if (!status) {
        step.take_back();
        update_.forget(step);
        return std::move(status).error();
    }
    step.edits.assign(edits.begin(), edits.end());
    state_.edits.edit.insert(state_.edits.edit.end(), edits.begin(), edits.end());
    ChangeList changes = recorders_.list_changes(step);
    undone_.clear();
    done_.push_back(std::move(step));
    while (done_.size() > options_.undo_steps) done_.pop_front();
    return changes;
}

Result<ChangeList> Session::Impl::undo() {
    if (done_.empty()) {
        return Error{.code = ErrorCode::not_found,
                     .stage = "session",
                     .subject = {},
                     .message = "there is no step left to undo"};
    }
    SessionStep step = std::move(done_.back());
    done_.pop_back();
    step.take_back();
    state_.edits.edit.resize(state_.edits.edit.size() - step.edits.size());
    update_.forget(step);
    ChangeList changes = recorders_.list_changes(step);
    undone_.push_back(std::move(step));
    return changes;
}

Result<ChangeList> Session::Impl::redo() {
    if (undone_.empty()) {
        return Error{.code = ErrorCode::not_found,
                     .stage = "session",
                     .subject = {},
                     .message = "there is no step left to do again"};
    }
    SessionStep step = std::move(undone_.back());
    undone_.pop_back();
    step.do_again();
    state_.edits.edit.insert(state_.edits.edit.end(), step.edits.begin(), step.edits.end());
    update_.forget(step);
    ChangeList changes = recorders_.list_changes(step);
    done_.push_back(std::move(step));
    return changes;
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(const WorldRecipe& recipe, BakedWorld world,
                                                 const SessionOptions& options) {
    TW_ASSIGN(SessionState state, SessionState::of(std::move(world)));
    auto impl = std::make_unique<Impl>(recipe, std::move(state), options);
    return std::unique_ptr<Session>(new Session(std::move(impl)));
}

Result<ChangeList> Session::apply(std::span<const world::Edit> edits) {
    return impl_->apply(edits);
}
std::size_t Session::undo_count() const {
    return impl_->undo_count();
}
std::size_t Session::redo_count() const {
    return impl_->redo_count();
}
Result<ChangeList> Session::undo() {
    return impl_->undo();
}
Result<ChangeList> Session::redo() {
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
