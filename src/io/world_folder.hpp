#pragma once
// The files of a baked world, read back. Trusts nothing in them.

#include "terraway/io/files.hpp"

#include "map_data.hpp"
#include "nav_file.hpp"
#include "plan_frame.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace tw::io {

/// height.r16 with what the manifest says about it.
struct HeightPixels {
    GridPoint north_west;
    Steps pixel = 0;
    std::int32_t columns = 0, rows = 0;
    std::vector<std::uint16_t> value;  ///< row by row from the north
};

/// A piece of streets.pieces.json.
struct FilePiece {
    struct End {
        std::string node;
        GridPoint l, r;
    };
    std::string id;
    bool junction = false;
    std::vector<std::vector<GridPoint>> rings;  ///< outline, then holes
    std::vector<End> ends;
};

class WorldFolder {
public:
    /// Reads the manifest. Errors: not_found, invalid_input.
    static Result<WorldFolder> open(const std::filesystem::path& folder);

    const nlohmann::json& manifest() const { return manifest_; }
    const PlanFrame& frame() const { return frame_; }
    const GridBox& bounds() const { return frame_.placement().bounds; }
    bool has(std::string_view name) const;
    Result<Bytes> read(std::string_view name) const;

    /// Rings as they stand in the file, neighbours by equal sides. Errors name the feature.
    Result<MapCells> cells() const;
    Result<std::vector<MapRiver>> rivers() const;
    Result<std::vector<MapRoad>> roads() const;
    Result<NavGrids> nav() const;
    Result<HeightPixels> heights() const;
    Result<std::vector<FilePiece>> pieces() const;

private:
    std::filesystem::path folder_;
    nlohmann::json manifest_;
    PlanFrame frame_;
};

}  // namespace tw::io
