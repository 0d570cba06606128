#pragma once
// What a world file says of itself: header, directory and trailer.

#include "terraway/core/result.hpp"
#include "terraway/recipe/world_file.hpp"
#include "terraway/world/archive.hpp"

#include "world_file_pages.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tw::recipe {

inline constexpr std::array<char, 4> kWorldFileMagic{'T', 'W', 'W', 'D'};

/// The first bytes of a file, in every version.
struct WorldFileHeader {
    std::array<char, 4> magic = kWorldFileMagic;
    std::uint32_t version = 0;
};
/// The last ones. The directory stands before it, so that pages can be written as they come.
struct WorldFileTrailer {
    std::uint64_t directory_bytes = 0;
    std::uint64_t directory_checksum = 0;  ///< XXH64
    std::uint64_t file_bytes = 0;
};
static_assert(PlainBytes<WorldFileHeader> && PlainBytes<WorldFileTrailer>,
              "written as they lie in memory");

struct StageEntry {
    std::string name;
    std::uint64_t hash = 0;

    static constexpr auto fields() {
        return std::tuple{Field{"name", &StageEntry::name}, Field{"hash", &StageEntry::hash}};
    }
};
struct SectionEntry {
    std::string name;
    std::uint32_t version = 0;  ///< of the stage's algorithm; 0: no stage
    std::string layout;         ///< layout_of() its type
    std::uint64_t hash = 0;     ///< of the value
    world::Bytes values;        ///< all but the pages, archived
    std::vector<PageEntry> page;

    static constexpr auto fields() {
        return std::tuple{
            Field{"name", &SectionEntry::name},     Field{"version", &SectionEntry::version},
            Field{"layout", &SectionEntry::layout}, Field{"hash", &SectionEntry::hash},
            Field{"values", &SectionEntry::values}, Field{"page", &SectionEntry::page}};
    }
};
/// Archived. The pages stand behind the header in its order, without gaps.
struct WorldFileDirectory {
    std::uint32_t version = kWorldFileVersion;  ///< the header's
    std::string recipe;
    std::vector<StageEntry> stage;  ///< that ran, in the order of the pipeline
    std::vector<SectionEntry> section;

    static constexpr auto fields() {
        return std::tuple{Field{"recipe", &WorldFileDirectory::recipe},
                          Field{"stage", &WorldFileDirectory::stage},
                          Field{"section", &WorldFileDirectory::section}};
    }
};

/// Checked: the pages fill what lies between header and directory. Errors: those of the source,
/// invalid_input, unsupported.
Result<WorldFileDirectory> read_directory(const ByteSource& source);

/// The version of the algorithm of the stage of this name; 0: there is none.
std::uint32_t version_of_stage(std::string_view name);

Error world_file_error(std::string place, std::string message,
                       ErrorCode code = ErrorCode::invalid_input);

}  // namespace tw::recipe
