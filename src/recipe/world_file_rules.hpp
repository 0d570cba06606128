#pragma once
// What a world says twice is written once: for some arrays a rule gives the elements from other
// arrays of the world, and the file has only what differs.

#include "terraway/core/executor.hpp"
#include "terraway/pipeline/baked_world.hpp"

#include "world_file_pages.hpp"
#include "world_file_patches.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tw::recipe {

/// The rule of one array.
struct ArrayRule {
    const void* array = nullptr;
    PageRule rule = PageRule::none;
    int level =
        1;  ///< arrays of lower levels are there before it is asked; those without a rule: 0
    /// Elements [begin, …) to bytes; those that it says nothing of become zeros.
    std::function<void(std::size_t begin, std::span<std::byte> to)> fill;
};
inline constexpr int kLastRuleLevel = 2;

class ArrayRules {
public:
    /// Of the arrays as they stand, by their addresses; they may still wait for their elements.
    explicit ArrayRules(const pipeline::BakedWorld& world);
    ArrayRules(const ArrayRules&) = delete;
    ArrayRules& operator=(const ArrayRules&) = delete;
    /// Looks at the elements of arrays without a rule, which are there by now. Rules that those do
    /// not allow say zeros from now on.
    void prepare(Executor& executor);
    /// Null: there is none.
    const ArrayRule* of(const void* array) const;
    /// Null: there is no terrain with its map and drainage.
    const SurfacePatches* terrain() const { return terrain_.get(); }

private:
    template <class Array>
    void add_same(const Array& array, const Array& source, int level);
    void add_patches(const world::NamedSurface& surface, PatchKind kind);

    const pipeline::BakedWorld& world_;
    std::vector<ArrayRule> rule_;  ///< by address
    std::unique_ptr<SurfacePatches> terrain_, sea_;
    bool map_is_sound_ = false;
};

}  // namespace tw::recipe
