#pragma once
// One list of a struct's fields serves hashing, saving, loading, comparing and counting bytes.
//
//     struct River {
//         CellId mouth;
//         IdArray<ReachTag, std::int32_t> elevation;
//         static constexpr auto fields() {
//             return std::tuple{Field{"mouth", &River::mouth}, Field{"elevation",
//             &River::elevation}};
//         }
//     };

#include <string_view>
#include <tuple>

namespace tw::inline core {

template <class Struct, class Member>
struct Field {
    std::string_view name;
    Member Struct::* member;
};
template <class Struct, class Member>
Field(const char*, Member Struct::*) -> Field<Struct, Member>;

template <class T>
concept HasFields = requires { T::fields(); };

/// Calls visit(name, field) for each field of `object`, in declared order.
template <class T, class Visit>
constexpr void for_each_field(T& object, Visit&& visit) {
    std::apply([&](const auto&... field) { (visit(field.name, object.*(field.member)), ...); },
               std::remove_const_t<T>::fields());
}

}  // namespace tw::inline core
