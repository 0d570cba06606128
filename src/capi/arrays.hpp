#pragma once
// Every array of the world as a named view, straight from the field lists of its structs.

#include "terraway/pipeline/baked_world.hpp"

#include "terraway.h"

#include <string>
#include <vector>

namespace tw::capi {

struct NamedArray {
    std::string name;  ///< "map.site"
    std::uint32_t type = 0, components = 0;
    std::uint64_t count = 0;
    const void* data = nullptr;
};

/// Of the stages that have run, in their order. Views into `world`; texts and nested arrays (the
/// meshes) are not among them.
std::vector<NamedArray> list_arrays(const pipeline::BakedWorld& world);

}  // namespace tw::capi
