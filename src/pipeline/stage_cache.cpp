#include "terraway/pipeline/stage_cache.hpp"

#include <cstring>
#include <type_traits>

namespace tw::pipeline {
namespace {

/// Before the payload of a stored entry; whatever does not match is built again.
struct EntryHeader {
    std::array<char, 4> magic{'T', 'W', 'S', 'C'};
    std::uint32_t version = 1;
    std::uint64_t key = 0;
    std::uint64_t content_hash = 0;
    std::uint64_t payload_bytes = 0;
    std::uint64_t checksum = 0;  ///< of the payload
    friend bool operator==(const EntryHeader&, const EntryHeader&) = default;
};
static_assert(PlainBytes<EntryHeader>, "written as it lies in memory");

/// Locks a flag: a mutex would need threads, which not all targets have.
class Held {
public:
    explicit Held(std::atomic_flag& flag) : flag_(flag) {
        while (flag_.test_and_set(std::memory_order_acquire)) flag_.wait(true);
    }
    ~Held() {
        flag_.clear(std::memory_order_release);
        flag_.notify_one();
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

private:
    std::atomic_flag& flag_;
};

world::Bytes to_entry(std::uint64_t key, const StageValue& value, const ValueCodec& codec) {
    const world::Bytes payload = codec.save(value);
    EntryHeader header;
    header.key = key;
    header.content_hash = value.hash();
    header.payload_bytes = payload.size();
    header.checksum = hash_bytes(payload);
    world::Bytes entry(sizeof header + payload.size());
    std::memcpy(entry.data(), &header, sizeof header);
    std::copy(payload.begin(), payload.end(), entry.begin() + sizeof header);
    return entry;
}

StageValue from_entry(std::uint64_t key, std::span<const std::byte> entry,
                      const ValueCodec& codec) {
    EntryHeader header;
    if (entry.size() < sizeof header) return {};
    std::memcpy(&header, entry.data(), sizeof header);
    const std::span<const std::byte> payload = entry.subspan(sizeof header);
    EntryHeader wanted;
    wanted.key = key;
    wanted.content_hash = header.content_hash;
    wanted.payload_bytes = payload.size();
    wanted.checksum = hash_bytes(payload);
    if (!(header == wanted)) return {};
    StageValue value = codec.load(payload);
    return value && value.hash() == header.content_hash ? value : StageValue();
}

}  // namespace

StageValue StageCache::find(std::uint64_t key, const ValueCodec& codec) {
    const Held held(in_use_);
    if (const auto found = entry_.find(key); found != entry_.end()) {
        if (found->second.value.type() != codec.type) return {};
        use_.splice(use_.begin(), use_, found->second.use);
        return found->second.value;
    }
    if (!options_.store) return {};
    const std::optional<world::Bytes> entry = options_.store->get(key);
    if (!entry) return {};
    StageValue value = from_entry(key, *entry, codec);
    if (value) keep(key, value);
    return value;
}

void StageCache::insert(std::uint64_t key, const StageValue& value, const ValueCodec& codec) {
    const Held held(in_use_);
    keep(key, value);
    if (options_.store) options_.store->put(key, to_entry(key, value, codec));
}

std::uint64_t StageCache::bytes() const {
    const Held held(in_use_);
    return bytes_;
}

void StageCache::keep(std::uint64_t key, const StageValue& value) {
    if (value.bytes() > options_.memory_budget || entry_.contains(key)) return;
    use_.push_front(key);
    entry_.emplace(key, Entry{value, use_.begin()});
    bytes_ += value.bytes();
    while (bytes_ > options_.memory_budget) {
        const auto last = entry_.find(use_.back());
        bytes_ -= last->second.value.bytes();
        entry_.erase(last);
        use_.pop_back();
    }
}

}  // namespace tw::pipeline
