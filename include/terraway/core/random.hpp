#pragma once
// Random numbers are a pure function of (seed, purpose, id, draw): nothing depends on the order of
// calls. Philox4x32-10, Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".

#include <array>
#include <cstdint>
#include <string_view>

namespace tw::inline core {

struct Seed {
    std::uint64_t value = 1;
    friend constexpr auto operator<=>(Seed, Seed) = default;
};

/// What the numbers are for ("terrain.sites"): two purposes never share a stream.
class Purpose {
public:
    constexpr explicit Purpose(std::string_view name) {
        for (char c : name) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    constexpr std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;  // FNV-1a
};

/// One block of Philox4x32-10.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// The numbers of one thing for one purpose. Never take two draws in one expression: the order of
/// evaluation is the compiler's.
class RandomStream {
public:
    RandomStream(Seed seed, Purpose purpose, std::uint64_t id);

    std::uint32_t next_u32() {
        if (used_ == 4) refill();
        return block_[used_++];
    }
    std::uint64_t next_u64() {
        const std::uint64_t high = next_u32();
        return high << 32 | next_u32();
    }
    /// 0 … n − 1, n > 0; bias below 2⁻³² · n.
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((std::uint64_t{next_u32()} * n) >> 32);
    }
    /// [0, 1), a multiple of 2⁻²⁴.
    float unit_float() { return static_cast<float>(next_u32() >> 8) * 0x1p-24f; }
    /// [0, 1), a multiple of 2⁻⁵³.
    double unit() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

private:
    void refill();
    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> counter_;
    std::array<std::uint32_t, 4> block_{};
    unsigned used_ = 4;
};

}  // namespace tw::inline core
