#include "terraway/core/random.hpp"

namespace tw::inline core {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53u} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    return counter;
}

RandomStream::RandomStream(Seed seed, Purpose purpose, std::uint64_t id) {
    // The id fills half of the counter, the draws the other half; seed and purpose make the key.
    std::uint64_t key = seed.value * 0x9E3779B97F4A7C15u ^ purpose.value();
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9u;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBu;
    key ^= key >> 31;
    key_ = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
    counter_ = {0, 0, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32)};
}

void RandomStream::refill() {
    block_ = philox4x32(counter_, key_);
    used_ = 0;
    if (++counter_[0] == 0) ++counter_[1];
}

}  // namespace tw::inline core
