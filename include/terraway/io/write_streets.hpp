#pragma once
// The streets of a baked world to files.

#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/io/write_world.hpp"
#include "terraway/pipeline/baked_world.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tw::io {

struct StreetReport {
    struct Repair {
        std::string piece, why;
    };
    std::uint64_t junctions = 0, corridors = 0;
    std::vector<Repair> repaired;        ///< junctions that carry a note
    std::vector<Repair> corridor_notes;  ///< corridors that carry one
    std::uint64_t unsolved = 0;          ///< pieces without a surface
};
StreetReport report_streets(const world::StreetSurface&);

/// Writes streets.glb (where the world has meshes), streets.pieces.json, streets.lines.json,
/// streets.geojson, markings.json and report.json, staged like write_world. Returns the files.
/// Errors: invalid_input (a world without streets), io, too_large, cancelled.
Result<std::vector<WrittenFile>> write_streets(const pipeline::BakedWorld&,
                                               const std::filesystem::path& folder, StageContext&);

}  // namespace tw::io
