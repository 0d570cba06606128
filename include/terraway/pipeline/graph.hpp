#pragma once
// A graph of pure stages. A stage's key is the hash of its name, algorithm version, options, seed
// and the content of its inputs, so a changed parameter reruns what depends on it and stops where
// an output comes out equal.

#include "terraway/core/stage_context.hpp"
#include "terraway/pipeline/stage_cache.hpp"
#include "terraway/pipeline/stage_value.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tw::pipeline {

/// Time, for the report only; asked from any thread. The library has no clock of its own.
class Clock {
public:
    virtual ~Clock() = default;
    virtual std::uint64_t nanoseconds() = 0;  ///< from any start, never falling
};

inline constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

/// A stage of the graph, or a value given from outside. Default: none, an input that is absent.
template <class T>
struct Node {
    std::size_t index = kNoNode;
    bool is_none() const { return index == kNoNode; }
};

struct StageInfo {
    std::string_view name;  ///< a literal, unique in the graph
    std::uint32_t version =
        1;  ///< of the algorithm: raised when the same input gives another output
    std::uint64_t options = 0;  ///< hash of the options and of the seed, where it is used
    std::uint32_t weight = 1;   ///< share of the whole time, for progress and budgets; > 0
};

class Graph {
public:
    /// A value from outside; null gives none.
    template <class T>
    Node<T> add_input(std::shared_ptr<const T> value) {
        if (!value) return {};
        nodes_.push_back({});
        nodes_.back().output = StageValue::of(std::move(value));
        return {nodes_.size() - 1};
    }

    /// run(const In*..., StageContext&) -> Result<Out>. An input that is none comes as null. Stages
    /// run in the order in which they are added, so inputs always come first.
    template <class Out, class Run, class... In>
    Node<Out> add(const StageInfo& info, Run run, Node<In>... inputs) {
        nodes_.push_back({});
        Stage& stage = nodes_.back();
        stage.info = info;
        stage.codec = codec_of<Out>();
        stage.inputs = {inputs.index...};
        stage.number = order_.size();
        stage.run = [run = std::move(run), inputs...](const Graph& graph,
                                                      StageContext& context) -> Result<StageValue> {
            Result<Out> out = run(graph.get(inputs)..., context);
            if (!out) return std::move(out).error();
            return StageValue::of(std::move(out).value(), *context.executor);
        };
        order_.push_back(nodes_.size() - 1);
        return {nodes_.size() - 1};
    }

    std::size_t stage_count() const { return order_.size(); }
    const StageInfo& info(std::size_t stage) const { return nodes_[order_[stage]].info; }
    /// The output of a stage that has run; null before, and for none.
    template <class T>
    const T* get(Node<T> node) const {
        return node.is_none() ? nullptr : nodes_[node.index].output.template get<T>();
    }
    template <class T>
    std::shared_ptr<const T> share(Node<T> node) const {
        return node.is_none() ? nullptr : nodes_[node.index].output.template share<T>();
    }
    std::uint64_t hash(std::size_t stage) const { return nodes_[order_[stage]].output.hash(); }
    /// What the stage's output is kept under; its inputs must have run.
    std::uint64_t key(std::size_t stage) const;

    /// Stages that can run at the same time once those of `done` (1 by stage) have run: chains of
    /// stages that follow one another, each going on as long as a stage makes one more ready.
    std::vector<std::vector<std::size_t>> ready_chains(std::span<const std::uint8_t> done) const;

    enum class Source : std::uint8_t { computed, cache };
    /// Runs one stage, or takes its output from the cache (which may be null). Stages of different
    /// chains may run on different threads.
    Result<Source> run(std::size_t stage, StageCache* cache, StageContext& context);

private:
    struct Stage {
        StageInfo info;
        ValueCodec codec;
        std::vector<std::size_t> inputs;
        std::size_t number = kNoNode;  ///< in the order of stages; kNoNode: a value from outside
        std::function<Result<StageValue>(const Graph&, StageContext&)> run;
        StageValue output;
    };
    bool is_ready(std::size_t stage, std::span<const std::uint8_t> done) const;

    std::vector<Stage> nodes_;
    std::vector<std::size_t> order_;
};

}  // namespace tw::pipeline
