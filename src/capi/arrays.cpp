#include "arrays.hpp"

#include <array>
#include <type_traits>

namespace tw::capi {
namespace {

/// The C type of one component; 0: it has none.
template <class T>
constexpr std::uint32_t scalar_type() {
    if constexpr (std::is_enum_v<T>) {
        return scalar_type<std::underlying_type_t<T>>();
    } else if constexpr (std::is_same_v<T, float>) {
        return TW_TYPE_F32;
    } else if constexpr (std::is_same_v<T, double>) {
        return TW_TYPE_F64;
    } else if constexpr (std::is_integral_v<T>) {
        constexpr std::uint32_t kSize = sizeof(T) == 1   ? 0
                                        : sizeof(T) == 2 ? 1
                                        : sizeof(T) == 4 ? 2
                                                         : 3;
        return TW_TYPE_U8 + 2 * kSize + (std::is_signed_v<T> ? 1u : 0u);
    } else {
        return 0;
    }
}

/// What an element is made of: equal scalars without gaps, or nothing that C can see.
template <class T>
struct Shape {
    static constexpr std::uint32_t kType = scalar_type<T>(), kComponents = 1;
};
template <class Tag, class Rep>
struct Shape<Id<Tag, Rep>> : Shape<Rep> {};
template <class T, std::size_t N>
struct Shape<std::array<T, N>> {
    static constexpr std::uint32_t kType = Shape<T>::kType;
    static constexpr std::uint32_t kComponents = N * Shape<T>::kComponents;
};
template <>
struct Shape<GridPoint> {
    static constexpr std::uint32_t kType = TW_TYPE_I32, kComponents = 2;
};
template <>
struct Shape<GridBox> {
    static constexpr std::uint32_t kType = TW_TYPE_I32, kComponents = 4;
};
static_assert(sizeof(GridPoint) == 8 && sizeof(GridBox) == 16);

class Lister {
public:
    template <class T>
    void add(const char* stage, const std::shared_ptr<const T>& value) {
        if (value) add_fields(std::string(stage) + ".", *value);
    }
    std::vector<NamedArray> take() && { return std::move(arrays_); }

private:
    template <class T>
    void add_fields(const std::string& prefix, const T& value) {
        for_each_field(value, [&](std::string_view name, const auto& field) {
            add_field(prefix + std::string(name), field);
        });
    }
    template <class T>
    void add_field(const std::string& name, const T& field) {
        if constexpr (HashesItself<T>::value) {
            using Element = typename T::value_type;
            add_view<Element>(name, field.span().data(), field.size());
        } else if constexpr (Shape<T>::kType != 0) {
            add_view<T>(name, &field, 1);
        } else if constexpr (HasFields<T>) {
            add_fields(name + ".", field);
        }
    }
    template <class Element>
    void add_view(const std::string& name, const void* data, std::size_t count) {
        if constexpr (Shape<Element>::kType != 0) {
            arrays_.push_back({.name = name,
                               .type = Shape<Element>::kType,
                               .components = Shape<Element>::kComponents,
                               .count = count,
                               .data = data});
        }
    }
    std::vector<NamedArray> arrays_;
};

}  // namespace

std::vector<NamedArray> list_arrays(const pipeline::BakedWorld& world) {
    Lister lister;
    lister.add("placement", world.placement);
    lister.add("map", world.map);
    lister.add("relief", world.relief);
    lister.add("climate", world.climate);
    lister.add("edits", world.edited_relief);
    lister.add("drainage", world.drainage);
    lister.add("rivers", world.rivers);
    lister.add("moisture", world.moisture);
    lister.add("biomes", world.biomes);
    lister.add("lines", world.lines);
    lister.add("road_edits", world.edited_lines);
    lister.add("network", world.network);
    lister.add("streets", world.streets);
    lister.add("street_heights", world.street_heights);
    lister.add("raster", world.raster);
    lister.add("cost", world.cost);
    lister.add("integration", world.integration);
    lister.add("directions", world.directions);
    return std::move(lister).take();
}

}  // namespace tw::capi
