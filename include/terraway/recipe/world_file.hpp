#pragma once
// world.tw: a baked world as one versioned binary that loads without baking (docs/formats.md).
//
// Every stage's output is a section: small values as archived bytes, arrays page by page, each page
// filtered, compressed where this build can, and kept with the hash that IdArray knows it by. What
// other arrays say already (half of a mesh, say) is left out. What is written and read follows the
// field lists; a new member of BakedWorld is one line in src/recipe/world_file_sections.hpp, and so
// is a field that a struct gets later.

#include "terraway/core/function_ref.hpp"
#include "terraway/core/result.hpp"
#include "terraway/core/stage_context.hpp"
#include "terraway/pipeline/baked_world.hpp"
#include "terraway/world/archive.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tw::recipe {

/// Rises when the shape of the file or a struct in it changes; older ones are read for ever.
inline constexpr std::uint32_t kWorldFileVersion = 2;

struct WorldFile {
    std::string recipe;  ///< canonical text (recipe::to_text)
    /// Times of stages are not kept: they read back as 0, and as not cached.
    pipeline::BakedWorld world;
};

/// Takes a file's bytes, part after part: from one thread at a time, not always the caller's.
using ByteSink = FunctionRef<Status(std::span<const std::byte>)>;
/// A file's bytes, read in any order and from several threads at once.
struct ByteSource {
    std::uint64_t size = 0;
    /// Fills `to` with the bytes from `offset` on; they lie within `size`.
    FunctionRef<Status(std::uint64_t offset, std::span<std::byte> to)> read;
};

/// Equal worlds give equal bytes, for any number of threads. Pages are compressed where the library
/// was built with TERRAWAY_LZ4, else plain. Errors: those of the sink, cancelled; the sink has some
/// of the bytes by then. Cost: O(bytes); pages are packed in parallel and while others are taken.
Status write_world_file(const WorldFile&, ByteSink, StageContext&);
/// The same in memory.
Result<world::Bytes> write_world_file(const WorldFile&, StageContext&);

/// The reader trusts nothing: every page is hashed again, every section's hash compared, sizes that
/// belong together, ids, the cells' tiling and the ways of water are checked, so that nothing later
/// reads out of bounds or without end; what the world means beyond is world::validate's. Takes at
/// most 3,100 times the file's size, for arrays that other arrays say.
/// Errors: those of the source, invalid_input (no world.tw, cut short, damaged; naming section and
/// page), unsupported (a newer version or section; compressed, and this build cannot), too_large
/// (over the context's memory limit), check_failed (as validate), cancelled.
Result<WorldFile> read_world_file(const ByteSource&, StageContext&);
Result<WorldFile> read_world_file(std::span<const std::byte> bytes, StageContext&);

struct WorldFileSection {
    std::string name;           ///< of the stage: "relief"
    std::uint32_t version = 0;  ///< of the algorithm that made it; 0: no stage
    std::uint64_t hash = 0;     ///< of the value
    std::uint64_t pages = 0;
    std::uint64_t bytes = 0;  ///< in the file
};
/// What the directory of a file says.
struct WorldFileInfo {
    std::uint64_t hash = 0;  ///< of the world
    std::string recipe;
    std::vector<WorldFileSection> section;
};
/// Reads and checks the directory alone; errors as read_world_file. Cost: O(pages).
Result<WorldFileInfo> describe_world_file(const ByteSource&);

}  // namespace tw::recipe
