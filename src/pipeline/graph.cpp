#include "terraway/pipeline/graph.hpp"

#include <algorithm>

namespace tw::pipeline {

std::uint64_t Graph::key(std::size_t stage) const {
    const Stage& it = nodes_[order_[stage]];
    Hasher hasher;
    hasher.add(it.info.name).add(it.info.version).add(it.info.options);
    hasher.add(std::uint64_t{it.inputs.size()});
    for (const std::size_t input : it.inputs) {
        // An absent input and one whose content hashes to 0 are not the same.
        const bool present = input != kNoNode;
        hasher.add(std::uint8_t{present});
        if (present) hasher.add(nodes_[input].output.hash());
    }
    return hasher.finish();
}

bool Graph::is_ready(std::size_t stage, std::span<const std::uint8_t> done) const {
    return std::ranges::all_of(nodes_[order_[stage]].inputs, [&](std::size_t input) {
        if (input == kNoNode || nodes_[input].number == kNoNode) return true;
        return done[nodes_[input].number] != 0;
    });
}

std::vector<std::vector<std::size_t>> Graph::ready_chains(
    std::span<const std::uint8_t> done) const {
    std::vector<std::vector<std::size_t>> chains;
    for (std::size_t first = 0; first < order_.size(); ++first) {
        if (done[first] || !is_ready(first, done)) continue;
        std::vector<std::size_t> chain;
        std::vector<std::uint8_t> before(done.begin(), done.end());
        for (std::vector<std::size_t> following{first}; following.size() == 1;) {
            chain.push_back(following.front());
            std::vector<std::uint8_t> after = before;
            after[chain.back()] = 1;
            following.clear();
            for (std::size_t next = 0; next < order_.size(); ++next) {
                if (!is_ready(next, before) && is_ready(next, after)) following.push_back(next);
            }
            before = std::move(after);
        }
        chains.push_back(std::move(chain));
    }
    return chains;
}

Result<Graph::Source> Graph::run(std::size_t stage, StageCache* cache, StageContext& context) {
    Stage& it = nodes_[order_[stage]];
    if (context.cancelled()) return cancelled_error(it.info.name);
    const std::uint64_t stage_key = key(stage);
    if (cache) {
        it.output = cache->find(stage_key, it.codec);
        if (it.output) return Source::cache;
    }
    TW_ASSIGN(it.output, it.run(*this, context));
    if (cache) cache->insert(stage_key, it.output, it.codec);
    return Source::computed;
}

}  // namespace tw::pipeline
