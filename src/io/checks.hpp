#pragma once
// The checks of check_world, by what they look at.

#include "terraway/io/check_world.hpp"

#include "read_glb.hpp"
#include "world_folder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tw::io {

/// Counts what holds and keeps the first that does not.
class Check {
public:
    explicit Check(std::string name) { result_.name = std::move(name); }
    /// `first` is called for the first failure alone.
    template <class Text>
    void expect(bool holds, Text&& first) {
        ++result_.checked;
        if (holds) return;
        if (result_.broken++ == 0) result_.first = first();
    }
    /// The files cannot be read: nothing else can be said.
    void fail(const Error& error) {
        expect(false, [&] { return error.subject.text() + ": " + error.message; });
    }
    CheckResult take() && { return std::move(result_); }

private:
    CheckResult result_;
};

/// "(12.5, -3)" in metres.
std::string point_text(GridPoint point);

using Checks = std::vector<CheckResult>;
void check_files(const WorldFolder&, Checks&);
void check_cells(const WorldFolder&, const MapCells&, Checks&);
void check_rivers(const WorldFolder&, const MapCells&, const std::vector<MapRiver>&, Checks&);
void check_carving(const HeightPixels&, const std::vector<MapRiver>&, Checks&);
void check_height_picture(const WorldFolder&, const HeightPixels&, Checks&);
void check_surfaces(const WorldFolder&, const std::vector<GlbMesh>&, Checks&);
void check_terrain_heights(const std::vector<GlbMesh>&, const MapCells&,
                           const std::vector<MapRiver>&, Checks&);
void check_streets(const std::vector<GlbMesh>&, const std::vector<FilePiece>&, Checks&);
void check_navigation(const NavGrids&, Checks&);

}  // namespace tw::io
