#pragma once
// A stage's output without its type, for the graph and its cache; and the way back, without RTTI.

#include "terraway/core/executor.hpp"
#include "terraway/core/hash.hpp"
#include "terraway/world/archive.hpp"

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tw::pipeline {

/// The identity of a type: compared, never ordered.
using TypeKey = const void*;
namespace detail {
template <class T>
inline constexpr char kTypeMark = 0;
}  // namespace detail
template <class T>
TypeKey type_key() {
    return &detail::kTypeMark<T>;
}

/// Bytes that a value takes, what its arrays hold on the heap included.
template <class T>
std::uint64_t memory_bytes(const T& value) {
    if constexpr (world::detail::IsIdArray<T>::value) {
        return memory_bytes(value.values());
    } else if constexpr (std::is_same_v<T, std::string>) {
        return sizeof value + value.capacity();
    } else if constexpr (tw::core::detail::IsVector<T>::value) {
        using Element = typename T::value_type;
        if constexpr (std::is_trivially_copyable_v<Element>) {
            return sizeof value + value.size() * sizeof(Element);
        } else {
            std::uint64_t bytes = sizeof value;
            for (const Element& element : value) bytes += memory_bytes(element);
            return bytes;
        }
    } else if constexpr (tw::core::detail::IsVariant<T>::value) {
        return sizeof value +
               std::visit([](const auto& held) { return memory_bytes(held); }, value);
    } else if constexpr (HasFields<T>) {
        std::uint64_t bytes = 0;
        for_each_field(value,
                       [&](std::string_view, const auto& field) { bytes += memory_bytes(field); });
        return bytes;
    } else {
        return sizeof value;
    }
}

/// Pages of arrays that wait to be hashed, of any types.
class PageHashing {
public:
    /// All pages of the value's arrays.
    template <class T>
    void add(const T& value) {
        if constexpr (world::detail::IsIdArray<T>::value) {
            value.begin_hash();
            const auto hash_page = [](const void* array, std::size_t page) {
                static_cast<const T*>(array)->hash_page(page);
            };
            for (std::size_t i = 0; i < value.page_count(); ++i) {
                page_.push_back({&value, hash_page, i});
            }
        } else if constexpr (tw::core::detail::IsVector<T>::value) {
            if constexpr (HasFields<typename T::value_type>) {
                for (const auto& element : value) add(element);
            }
        } else if constexpr (HasFields<T>) {
            for_each_field(value, [&](std::string_view, const auto& field) { add(field); });
        }
    }
    void run(Executor& executor) const {
        constexpr std::size_t kPagesPerTask = 16;
        parallel_for(executor, page_.size(), kPagesPerTask,
                     [&](std::size_t begin, std::size_t end, std::size_t) {
                         for (std::size_t i = begin; i < end; ++i) {
                             page_[i].hash(page_[i].array, page_[i].index);
                         }
                     });
    }

private:
    struct Page {
        const void* array;
        void (*hash)(const void* array, std::size_t page);
        std::size_t index;
    };
    std::vector<Page> page_;
};

/// A shared, immutable value with its content hash.
class StageValue {
public:
    StageValue() = default;
    template <class T>
    static StageValue of(T value) {
        // Not const itself: a session that holds it alone may take it.
        return of(std::shared_ptr<const T>(std::make_shared<T>(std::move(value))));
    }
    /// The same, faster: hashes large values on the executor's threads.
    template <class T>
    static StageValue of(T value, Executor& executor) {
        PageHashing pages;
        pages.add(value);
        pages.run(executor);
        return of(std::move(value));
    }
    template <class T>
    static StageValue of(std::shared_ptr<const T> value) {
        StageValue result;
        result.type_ = type_key<T>();
        result.hash_ = hash_of(*value);
        result.bytes_ = memory_bytes(*value);
        result.value_ = std::move(value);
        return result;
    }

    explicit operator bool() const { return value_ != nullptr; }
    TypeKey type() const { return type_; }
    std::uint64_t hash() const { return hash_; }
    std::uint64_t bytes() const { return bytes_; }
    /// Null when there is no value. Asking for another type than it has is a bug.
    template <class T>
    std::shared_ptr<const T> share() const {
        assert(!value_ || type_ == type_key<T>());
        return std::static_pointer_cast<const T>(value_);
    }
    template <class T>
    const T* get() const {
        assert(!value_ || type_ == type_key<T>());
        return static_cast<const T*>(value_.get());
    }

private:
    std::shared_ptr<const void> value_;
    TypeKey type_ = nullptr;
    std::uint64_t hash_ = 0;
    std::uint64_t bytes_ = 0;
};

/// How values of one type become bytes and come back.
struct ValueCodec {
    TypeKey type = nullptr;
    world::Bytes (*save)(const StageValue&) = nullptr;
    StageValue (*load)(std::span<const std::byte>) = nullptr;  ///< empty: damaged
};
template <class T>
ValueCodec codec_of() {
    return {.type = type_key<T>(),
            .save = [](const StageValue& value) { return world::to_bytes(*value.get<T>()); },
            .load =
                [](std::span<const std::byte> bytes) {
                    auto value = world::from_bytes<T>(bytes);
                    return value ? StageValue::of(std::move(value).value()) : StageValue();
                }};
}

}  // namespace tw::pipeline
