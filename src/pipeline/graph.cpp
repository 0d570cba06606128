#include "terraway/pipeline/graph.hpp"

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
