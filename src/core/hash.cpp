#include "terraway/core/hash.hpp"

#include <algorithm>

namespace tw::inline core {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9u;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5u;

template <class T>
T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::uint64_t round_lane(std::uint64_t lane, std::uint64_t input) {
    return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

std::uint64_t merge_lane(std::uint64_t hash, std::uint64_t lane) {
    return (hash ^ round_lane(0, lane)) * kPrime1 + kPrime4;
}

void stripe(std::array<std::uint64_t, 4>& lane, const std::byte* at) {
    for (std::size_t i = 0; i < 4; ++i)
        lane[i] = round_lane(lane[i], load<std::uint64_t>(at + 8 * i));
}

}  // namespace

Hasher::Hasher(std::uint64_t seed)
    : lane_{seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1}, seed_(seed) {}

void Hasher::bytes(std::span<const std::byte> bytes) {
    std::size_t held = total_ % 32;
    total_ += bytes.size();
    if (held != 0) {
        const std::size_t take = std::min(bytes.size(), 32 - held);
        std::copy_n(bytes.begin(), take, buffer_.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(take);
        if (held + take < 32) return;
        stripe(lane_, buffer_.data());
    }
    // A copy that bytes cannot alias stays in registers.
    std::array<std::uint64_t, 4> lane = lane_;
    while (bytes.size() >= 32) {
        stripe(lane, bytes.data());
        bytes = bytes.subspan(32);
    }
    lane_ = lane;
    std::copy(bytes.begin(), bytes.end(), buffer_.begin());
}

std::uint64_t Hasher::finish() const {
    std::uint64_t hash = seed_ + kPrime5;
    if (total_ >= 32) {
        hash = std::rotl(lane_[0], 1) + std::rotl(lane_[1], 7) + std::rotl(lane_[2], 12) +
               std::rotl(lane_[3], 18);
        for (std::uint64_t lane : lane_) hash = merge_lane(hash, lane);
    }
    hash += total_;
    const std::byte* at = buffer_.data();
    std::size_t left = total_ % 32;
    for (; left >= 8; left -= 8, at += 8) {
        hash = std::rotl(hash ^ round_lane(0, load<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
    }
    if (left >= 4) {
        hash = std::rotl(hash ^ (load<std::uint32_t>(at) * kPrime1), 23) * kPrime2 + kPrime3;
        at += 4;
        left -= 4;
    }
    for (; left > 0; --left, ++at) {
        hash = std::rotl(hash ^ (std::to_integer<std::uint64_t>(*at) * kPrime5), 11) * kPrime1;
    }
    hash = (hash ^ (hash >> 33)) * kPrime2;
    hash = (hash ^ (hash >> 29)) * kPrime3;
    return hash ^ (hash >> 32);
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
    Hasher hasher(seed);
    hasher.bytes(bytes);
    return hasher.finish();
}

std::string hash_to_text(std::uint64_t hash) {
    std::string text(16, '0');
    for (int i = 15; i >= 0; --i, hash >>= 4) {
        text[static_cast<std::size_t>(i)] = "0123456789abcdef"[hash & 15];
    }
    return text;
}

}  // namespace tw::inline core
