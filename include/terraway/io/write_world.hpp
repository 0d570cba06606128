#pragma once
// A baked world to files.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/pipeline/baked_world.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tw::io {

struct WrittenFile {
    std::string name;  ///< relative to the folder: "layers/biome.png"
    std::uint64_t bytes = 0;
    std::uint64_t checksum = 0;  ///< XXH64 of its bytes
};

struct WorldCounts {
    std::uint64_t cells = 0;
    std::uint64_t rivers = 0;  ///< reaches, as in rivers.geojson
    std::uint64_t lakes = 0;   ///< connected groups of lake cells
    std::uint64_t roads = 0;   ///< of the network
    std::uint64_t junctions = 0;
    std::uint64_t triangles = 0;  ///< of all surfaces
};
WorldCounts count_world(const pipeline::BakedWorld&);

/// All edits that were done to a world, beside its files.
inline constexpr const char* kEditsName = "edits.jsonl";
/// The world itself, to be loaded again.
inline constexpr const char* kWorldName = "world.tw";

struct WorldFileOptions {
    std::string recipe;               ///< its text, kept in the manifest and in world.tw
    std::string title;                ///< on the map; empty: "Terraway"
    std::uint32_t layer_size = 1024;  ///< [pixels] longer side of layer pictures, 16 … 8,192
    std::uint32_t map_size =
        2048;  ///< [pixels] longer side of the map without its legend, 256 … 8,192
};

/// Writes world.json, world.tw, edits.jsonl (where the world has edits), world.glb, height.png,
/// height.r16, map.png, map.svg, layers/*.png, cells.geojson, rivers.geojson, roads.geojson,
/// streets.*, report.json and nav.bin, as far as the world has what they show (docs/formats.md).
/// Files are staged inside `folder` and renamed into place at the end, the manifest last: an error
/// or a cancel leaves what stood there untouched, and files of an older world that the new one
/// lacks are removed. Returns the files, the manifest last. Errors: invalid_option, invalid_input
/// (a world without map and placement), io, too_large, cancelled. Cost: about linear; files are
/// made in parallel on the context's executor.
Result<std::vector<WrittenFile>> write_world(const pipeline::BakedWorld&,
                                             const std::filesystem::path& folder,
                                             const WorldFileOptions&, StageContext&);

}  // namespace tw::io
