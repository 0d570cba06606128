// Surfaces in world.glb, and the street pieces that they come from.

#include "terraway/math/predicates.hpp"

#include "checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace tw::io {
namespace {

/// A vertex by where it is, in steps.
using Place = std::array<std::int32_t, 3>;

bool is_street(const std::string& surface) {
    return surface == "junctions" || surface == "corridors" || surface == "bridges" ||
           surface == "tunnels";
}

Place place_of(const std::array<double, 3>& metres) {
    Place place{};
    for (std::size_t i = 0; i < 3; ++i) {
        constexpr double kMost = 1'000'000.0;
        place[i] =
            to_steps(std::isfinite(metres[i]) ? std::clamp(metres[i], -kMost, kMost) : kMost);
    }
    return place;
}

std::string place_text(const Place& place) {
    return point_text({place[0], place[1]});
}

struct Edge {
    std::uint32_t from = 0, to = 0;
    friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// Meshes that are one surface, their vertices known by place alone.
struct Surface {
    std::vector<Place> place;  ///< ascending
    std::vector<std::array<std::uint32_t, 3>> triangle;
    std::vector<Edge> edge;  ///< directed, ascending

    std::uint32_t id_of(const Place& at) const {
        return static_cast<std::uint32_t>(std::lower_bound(place.begin(), place.end(), at) -
                                          place.begin());
    }
    bool has(const Edge& e) const { return std::binary_search(edge.begin(), edge.end(), e); }
    GridPoint plan(std::uint32_t id) const { return {place[id][0], place[id][1]}; }
};

template <class Wanted>
Surface surface_of(const std::vector<GlbMesh>& meshes, Wanted&& wanted) {
    Surface out;
    for (const GlbMesh& mesh : meshes) {
        if (!wanted(mesh.surface)) continue;
        for (const auto& position : mesh.position) out.place.push_back(place_of(position));
    }
    std::sort(out.place.begin(), out.place.end());
    out.place.erase(std::unique(out.place.begin(), out.place.end()), out.place.end());
    for (const GlbMesh& mesh : meshes) {
        if (!wanted(mesh.surface)) continue;
        std::vector<std::uint32_t> id;
        id.reserve(mesh.position.size());
        for (const auto& position : mesh.position) id.push_back(out.id_of(place_of(position)));
        for (const auto& t : mesh.triangle) out.triangle.push_back({id[t[0]], id[t[1]], id[t[2]]});
    }
    for (const auto& t : out.triangle) {
        for (std::size_t k = 0; k < 3; ++k) out.edge.push_back({t[k], t[(k + 1) % 3]});
    }
    std::sort(out.edge.begin(), out.edge.end());
    return out;
}

bool stands_twice(const std::vector<Edge>& edges, std::size_t i) {
    return (i > 0 && edges[i - 1] == edges[i]) ||
           (i + 1 < edges.size() && edges[i + 1] == edges[i]);
}

void check_terrain(const WorldFolder& world, const std::vector<GlbMesh>& meshes, Checks& checks) {
    const Surface terrain =
        surface_of(meshes, [](const std::string& name) { return name == "terrain"; });
    const GridBox& box = world.bounds();
    Check closed("terrain closes over the rectangle");
    std::int64_t area = 0;
    for (const auto& t : terrain.triangle) {
        const std::int64_t twice =
            orient2d(terrain.plan(t[0]), terrain.plan(t[1]), terrain.plan(t[2]));
        closed.expect(twice > 0, [&] {
            return "a triangle faces down at " + place_text(terrain.place[t[0]]);
        });
        area += twice;
    }
    closed.expect(area == 2 * box.width() * box.height(),
                  [] { return std::string("its area is not the rectangle's"); });
    for (std::size_t i = 0; i < terrain.edge.size(); ++i) {
        const Edge edge = terrain.edge[i];
        const GridPoint a = terrain.plan(edge.from), b = terrain.plan(edge.to);
        const bool border = (a.x == b.x && (a.x == box.lo.x || a.x == box.hi.x)) ||
                            (a.y == b.y && (a.y == box.lo.y || a.y == box.hi.y));
        const bool holds =
            !stands_twice(terrain.edge, i) && terrain.has({edge.to, edge.from}) != border;
        closed.expect(holds, [&] {
            return "an edge is open or doubled at " + place_text(terrain.place[edge.from]);
        });
    }
    checks.push_back(std::move(closed).take());
}

/// Where chunks of one surface meet, their normals are equal.
void check_seams(const std::vector<GlbMesh>& meshes, Checks& checks) {
    struct Corner {
        Place place;
        std::size_t chunk;
        Vec3f normal;
    };
    std::vector<Corner> corners;
    for (std::size_t chunk = 0; chunk < meshes.size(); ++chunk) {
        const GlbMesh& mesh = meshes[chunk];
        if (mesh.surface != "terrain") continue;
        for (std::size_t i = 0; i < mesh.position.size(); ++i) {
            corners.push_back({place_of(mesh.position[i]), chunk,
                               i < mesh.normal.size() ? mesh.normal[i] : Vec3f{}});
        }
    }
    std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
        return std::tie(a.place, a.chunk) < std::tie(b.place, b.chunk);
    });
    Check check("terrain normals are equal on seams");
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const Corner &a = corners[i - 1], &b = corners[i];
        if (a.place != b.place || a.chunk == b.chunk) continue;
        check.expect(a.normal == b.normal,
                     [&] { return "normals differ at " + place_text(a.place); });
    }
    checks.push_back(std::move(check).take());
}

void check_numbers(const std::vector<GlbMesh>& meshes, Checks& checks) {
    Check check("numbers in world.glb are sound");
    for (const GlbMesh& mesh : meshes) {
        for (const auto& p : mesh.position) {
            check.expect(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]),
                         [&] { return mesh.surface + ": a position is not finite"; });
        }
        for (const Vec3f& n : mesh.normal) {
            check.expect(std::abs(dot(n, n) - 1.0f) < 1e-3f,
                         [&] { return mesh.surface + ": a normal is not of unit length"; });
        }
    }
    checks.push_back(std::move(check).take());
}

/// A directed edge in plan.
using PlanEdge = std::array<std::int32_t, 4>;
PlanEdge plan_edge(GridPoint a, GridPoint b) {
    return {a.x, a.y, b.x, b.y};
}

/// Outlines and holes but for the gates that lead into a junction.
std::vector<PlanEdge> contours_of(const std::vector<FilePiece>& pieces) {
    std::set<std::string> junctions;
    for (const FilePiece& piece : pieces) {
        if (piece.junction) junctions.insert(piece.id);
    }
    // A gate is once an edge of its road and once, the other way, of its junction.
    std::map<PlanEdge, int> gates;
    for (const FilePiece& piece : pieces) {
        for (const FilePiece::End& end : piece.ends) {
            if (!junctions.contains(end.node)) continue;
            ++gates[plan_edge(end.l, end.r)];
            ++gates[plan_edge(end.r, end.l)];
        }
    }
    std::vector<PlanEdge> contours;
    for (const FilePiece& piece : pieces) {
        for (const auto& ring : piece.rings) {
            for (std::size_t i = 0; i < ring.size(); ++i) {
                const PlanEdge edge = plan_edge(ring[i], ring[(i + 1) % ring.size()]);
                const auto gate = gates.find(edge);
                if (gate != gates.end() && gate->second > 0) {
                    --gate->second;
                } else {
                    contours.push_back(edge);
                }
            }
        }
    }
    std::sort(contours.begin(), contours.end());
    return contours;
}

void check_gates(const std::vector<FilePiece>& pieces, Checks& checks) {
    std::map<std::string, const FilePiece*> junctions;
    for (const FilePiece& piece : pieces) {
        if (piece.junction) junctions[piece.id] = &piece;
    }
    const auto has = [](const FilePiece& piece, GridPoint point) {
        return std::any_of(piece.rings.begin(), piece.rings.end(), [&](const auto& ring) {
            return std::find(ring.begin(), ring.end(), point) != ring.end();
        });
    };
    Check check("gates are vertices of both their pieces");
    for (const FilePiece& piece : pieces) {
        if (piece.junction) continue;
        check.expect(piece.ends.size() == 2, [&] { return piece.id + " has not two ends"; });
        for (const FilePiece::End& end : piece.ends) {
            const auto junction = junctions.find(end.node);
            const bool holds = has(piece, end.l) && has(piece, end.r) &&
                               (junction == junctions.end() ||
                                (has(*junction->second, end.l) && has(*junction->second, end.r)));
            check.expect(
                holds, [&] { return "the gate of " + piece.id + " at " + end.node + " is torn"; });
        }
    }
    checks.push_back(std::move(check).take());
}

}  // namespace

void check_surfaces(const WorldFolder& world, const std::vector<GlbMesh>& meshes, Checks& checks) {
    check_numbers(meshes, checks);
    check_terrain(world, meshes, checks);
    check_seams(meshes, checks);
}

void check_terrain_heights(const std::vector<GlbMesh>& meshes, const MapCells& cells,
                           const std::vector<MapRiver>& rivers, Checks& checks) {
    std::vector<Place> known;
    const auto add = [&](GridPoint at, Steps height) { known.push_back({at.x, at.y, height}); };
    for (std::size_t i = 0; i < cells.size(); ++i) add(cells.site[i], cells.elevation[i]);
    for (std::size_t i = 0; i < cells.corner.size(); ++i)
        add(cells.corner[i], cells.corner_elevation[i]);
    for (const MapRiver& river : rivers) {
        for (std::size_t i = 0; i < river.point.size(); ++i)
            add(river.point[i], river.elevation[i]);
    }
    std::sort(known.begin(), known.end());
    Check check("terrain vertices are the cells' and rivers'");
    for (const GlbMesh& mesh : meshes) {
        if (mesh.surface != "terrain") continue;
        for (const auto& position : mesh.position) {
            const Place place = place_of(position);
            check.expect(std::binary_search(known.begin(), known.end(), place), [&] {
                return "no cell or river has the vertex at " + place_text(place) + ", " +
                       std::to_string(position[2]) + " m high";
            });
        }
    }
    checks.push_back(std::move(check).take());
}

void check_streets(const std::vector<GlbMesh>& meshes, const std::vector<FilePiece>& pieces,
                   Checks& checks) {
    const Surface streets = surface_of(meshes, is_street);
    Check edges("street edges are used once, or twice in opposite ways");
    std::vector<PlanEdge> border;
    for (std::size_t i = 0; i < streets.edge.size(); ++i) {
        const Edge edge = streets.edge[i];
        edges.expect(!stands_twice(streets.edge, i), [&] {
            return "an edge is doubled at " + place_text(streets.place[edge.from]);
        });
        if (!streets.has({edge.to, edge.from}))
            border.push_back(plan_edge(streets.plan(edge.from), streets.plan(edge.to)));
    }
    checks.push_back(std::move(edges).take());

    Check contour("street borders are the declared contours");
    std::sort(border.begin(), border.end());
    const std::vector<PlanEdge> declared = contours_of(pieces);
    std::vector<PlanEdge> differ;
    std::set_symmetric_difference(border.begin(), border.end(), declared.begin(), declared.end(),
                                  std::back_inserter(differ));
    for (std::size_t i = 0; i < std::max(declared.size(), differ.size()); ++i) {
        contour.expect(i >= differ.size(), [&] {
            const bool in_mesh = std::binary_search(border.begin(), border.end(), differ[i]);
            return point_text({differ[i][0], differ[i][1]}) + " to " +
                   point_text({differ[i][2], differ[i][3]}) +
                   (in_mesh ? " is a border of the mesh alone"
                            : " is a contour of the pieces alone");
        });
    }
    checks.push_back(std::move(contour).take());
    check_gates(pieces, checks);
}

}  // namespace tw::io
