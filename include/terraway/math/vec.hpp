#pragma once
// Small float vectors for work inside a stage and for outputs.

#include "terraway/math/grid.hpp"

#include <cmath>

namespace tw::inline math {

template <class T>
struct Vec2 {
    T x{}, y{};
    friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
    static constexpr auto fields() {
        return std::tuple{Field{"x", &Vec2::x}, Field{"y", &Vec2::y}};
    }
    friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
    friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
    friend constexpr Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
    friend constexpr Vec2 operator*(Vec2 a, T s) { return {a.x * s, a.y * s}; }
    friend constexpr Vec2 operator/(Vec2 a, T s) { return {a.x / s, a.y / s}; }
};
using Vec2f = Vec2<float>;
using Vec2d = Vec2<double>;

template <class T>
constexpr T dot(Vec2<T> a, Vec2<T> b) {
    return a.x * b.x + a.y * b.y;
}
/// z of the cross product: positive when b lies to the left of a.
template <class T>
constexpr T cross(Vec2<T> a, Vec2<T> b) {
    return a.x * b.y - a.y * b.x;
}
template <class T>
T length(Vec2<T> a) {
    return std::sqrt(dot(a, a));
}
/// The zero vector stays zero.
template <class T>
Vec2<T> normalized(Vec2<T> a) {
    const T l = length(a);
    return l > T{0} ? a / l : a;
}
/// A quarter turn counter-clockwise.
template <class T>
constexpr Vec2<T> left_of(Vec2<T> a) {
    return {-a.y, a.x};
}

template <class T>
struct Vec3 {
    T x{}, y{}, z{};
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
    static constexpr auto fields() {
        return std::tuple{Field{"x", &Vec3::x}, Field{"y", &Vec3::y}, Field{"z", &Vec3::z}};
    }
    friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator*(Vec3 a, T s) { return {a.x * s, a.y * s, a.z * s}; }
};
using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;

template <class T>
constexpr T dot(Vec3<T> a, Vec3<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(Vec3<T> a) {
    return std::sqrt(dot(a, a));
}

/// [steps] as doubles: exact.
constexpr Vec2d to_vec(GridPoint p) {
    return {static_cast<double>(p.x), static_cast<double>(p.y)};
}
/// Nearest grid point, halves away from zero. `p` in steps, within the grid.
constexpr GridPoint to_grid(Vec2d p) {
    return {static_cast<std::int32_t>(p.x < 0 ? p.x - 0.5 : p.x + 0.5),
            static_cast<std::int32_t>(p.y < 0 ? p.y - 0.5 : p.y + 0.5)};
}

}  // namespace tw::inline math
