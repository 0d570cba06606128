#pragma once
// Whether the parts of a world that came from outside fit each other.

#include "terraway/core/executor.hpp"
#include "terraway/core/result.hpp"
#include "terraway/pipeline/baked_world.hpp"

#include "world_file_patches.hpp"

namespace tw::recipe {

/// Arrays that belong together have one size, ids exist, water runs in no circle: nothing that
/// takes the world reads out of bounds or without end. Error check_failed. Cost: O(world).
/// `terrain`: the patches of its surface, prepared; null: it has none.
Status check_references(const pipeline::BakedWorld&, const SurfacePatches* terrain, Executor&);

}  // namespace tw::recipe
