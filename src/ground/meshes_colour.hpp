#pragma once
// Colours as they stand in meshes: sRGB, 0xAABBGGRR.

#include <array>
#include <cstdint>

namespace tw::ground {

/// Channels that are mixed in integers.
struct Colour {
    std::array<std::uint32_t, 3> channel{};  ///< red, green, blue, 0 … 255 each

    static constexpr Colour from_rgb(std::uint32_t rgb) {
        return {{rgb >> 16 & 255u, rgb >> 8 & 255u, rgb & 255u}};
    }
    /// `share` 256ths of `other`.
    constexpr Colour mixed(const Colour& other, std::uint32_t share) const {
        Colour out;
        for (std::size_t i = 0; i < 3; ++i) {
            out.channel[i] = (channel[i] * (256 - share) + other.channel[i] * share + 128) / 256;
        }
        return out;
    }
    constexpr std::uint32_t rgba() const {
        return 0xff000000u | channel[2] << 16 | channel[1] << 8 | channel[0];
    }
};

/// The mean of those that were added.
class ColourMean {
public:
    constexpr void add(const Colour& colour) {
        for (std::size_t i = 0; i < 3; ++i) sum_[i] += colour.channel[i];
        ++count_;
    }
    constexpr bool empty() const { return count_ == 0; }
    /// Black when nothing was added.
    constexpr Colour mean() const {
        Colour out;
        if (empty()) return out;
        for (std::size_t i = 0; i < 3; ++i) out.channel[i] = (sum_[i] + count_ / 2) / count_;
        return out;
    }

private:
    std::array<std::uint32_t, 3> sum_{};
    std::uint32_t count_ = 0;
};

}  // namespace tw::ground
