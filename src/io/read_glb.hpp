#pragma once
// Meshes of a GLB file, by a reader that shares nothing with the writer.

#include "terraway/core/result.hpp"
#include "terraway/math/vec.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tw::io {

/// One primitive, brought to the world: x east, y north, z up.
struct GlbMesh {
    std::string surface;                          ///< name of the topmost named node above it
    std::vector<std::array<double, 3>> position;  ///< [m]
    std::vector<Vec3f> normal;                    ///< empty: none
    std::vector<std::array<std::uint32_t, 3>> triangle;
};

/// Triangles of all nodes of the scene; translations only. Errors: invalid_input (not a sound GLB),
/// unsupported (sparse or interleaved data, rotations).
Result<std::vector<GlbMesh>> read_glb(std::span<const std::byte> bytes, const std::string& name);

}  // namespace tw::io
