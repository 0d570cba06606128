#pragma once
// What a stage saw on its way, for pictures and debuggers. Coordinates in metres, x east, y north.

#include <string_view>

namespace tw::inline core {

class DebugSink {
public:
    virtual ~DebugSink() = default;
    virtual void point(std::string_view layer, double x, double y) = 0;
    virtual void line(std::string_view layer, double x0, double y0, double x1, double y1) = 0;
    virtual void text(std::string_view layer, double x, double y, std::string_view text) = 0;
};

}  // namespace tw::inline core
