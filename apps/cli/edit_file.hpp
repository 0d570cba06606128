#pragma once
// Edits from a file, done to a session; errors name the file and the line.

#include "terraway/pipeline/session.hpp"
#include "terraway/world/edits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tw::cli {

/// Errors: those of io::read_file and recipe::parse_edits.
Result<world::EditList> read_edits(const std::string& file);

/// Those whose tick is no later; all without one. They stand in front, as ticks don't fall.
std::span<const world::Edit> edits_until(const world::EditList& list,
                                         std::optional<std::uint64_t> tick);

/// The index of the edit that an error of a bake speaks of.
std::optional<std::size_t> edit_index(const Error& error);
/// An error of a bake or a session, about the line of its edit.
Error about_edit(const Error& error, const std::string& file, std::size_t index);

/// Does the edits one by one; cancelled by the interrupt flag. Returns the elements of each stage
/// that came out otherwise, summed up, in the order of the pipeline.
Result<std::vector<pipeline::StageChange>> apply_edits(pipeline::Session& session,
                                                       std::span<const world::Edit> edits,
                                                       const std::string& file);

}  // namespace tw::cli
