#pragma once
// The library never prints. What it has to say goes to a sink that the caller gives.

#include <cstdint>
#include <string_view>

namespace tw::inline core {

enum class LogLevel : std::uint8_t { debug, info, warning };

class LogSink {
public:
    virtual ~LogSink() = default;
    virtual void log(LogLevel level, std::string_view stage, std::string_view message) = 0;
};

}  // namespace tw::inline core
