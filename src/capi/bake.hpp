#pragma once
// The handle of a bake, which a session can begin with.

#include "terraway/core/progress.hpp"
#include "terraway/pipeline/bake.hpp"
#include "terraway/recipe/recipe.hpp"

#include "calls.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>

/// A job and what was asked of it.
struct tw_bake {
    std::unique_ptr<tw::Executor> executor;
    tw::CancelFlag cancel;
    tw::recipe::Recipe recipe;
    std::unique_ptr<tw::pipeline::BakeJob> job;  ///< null after an error in the recipe
    std::optional<tw::Error> error;
    std::deque<std::string> stage_names;      ///< appended only: callers hold views of them
    std::deque<tw::capi::NamedArray> arrays;  ///< of the stages that have run; appended only
    tw::capi::ChunkList chunks;
    tw::world::Bytes glb;  ///< made when it is first asked for

    std::int32_t fail(tw::Error failed) {
        error = std::move(failed);
        return tw::capi::code_of(*error);
    }
    tw::Status prepare(const tw_bake_options& options);
    /// Takes up what the last slice has made.
    void list();
};
