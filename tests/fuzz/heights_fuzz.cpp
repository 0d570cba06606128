// Any bytes are a height file: what comes is a valid raster or an error that says something.

#include "terraway/io/read_heights.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto heights = tw::io::parse_heights(std::as_bytes(std::span(data, size)), "fuzz");
    if (heights.ok() ? !tw::world::validate(*heights).ok() : heights.error().message.empty()) {
        std::abort();
    }
    return 0;
}
