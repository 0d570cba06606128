#pragma once
// Surfaces as a binary glTF 2.0 file.

#include "terraway/core/result.hpp"
#include "terraway/world/archive.hpp"
#include "terraway/world/ground.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tw::recipe {

struct GlbOptions {
    std::string title;  ///< of the scene; empty: none
    std::vector<std::pair<std::string, std::string>>
        extras;  ///< text beside the asset's version, in order
};

/// One node per surface, named as it is; below it a node per chunk with the chunk's translation.
/// Metres, y up: (x, y, z) becomes (x, z, −y). Positions are exact. Colours are converted from sRGB
/// to linear, as glTF wants them. Materials are matte; water lets light through. Equal meshes give
/// equal bytes. Errors: too_large (4 GB or more). Cost: O(vertices + triangles).
Result<world::Bytes> to_glb(const world::GroundMeshes&, const GlbOptions& = {});

}  // namespace tw::recipe
