// Any bytes are a road file: what comes is a valid import or an error that says something.

#include "terraway/io/read_roads.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto lines = tw::io::parse_roads(std::as_bytes(std::span(data, size)), "fuzz",
                                           {.scope = tw::io::RoadScope::all});
    if (lines.ok() ? !tw::world::validate(*lines).ok() : lines.error().message.empty())
        std::abort();
    return 0;
}
