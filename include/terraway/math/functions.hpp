#pragma once
// The functions of <cmath> whose bits differ between C libraries, made of + − × ÷, sqrt, integers
// and bit copies alone: the same bits on every IEEE machine (no contraction, rounding to nearest).
//
// All finite doubles are within the domain unless a line says otherwise: sin(1e300) is as good as
// sin(1). Errors are in units in the last place of the result, subnormal results included, and are
// checked against a table of high precision (tools/make_function_table.py).
//
// The float forms work in doubles and round once: within 0.5001 ulp, specials alike. log and pow
// take two thirds of the time of the double forms, the others as long.
//
// Sources: Cody & Waite 1980, Payne & Hanek 1983 (reduction), Dekker 1971 (double-double), Tang
// 1990 (tables of logarithms); the series are Taylor's.

namespace tw::inline math {

inline constexpr double kPi = 0x1.921fb54442d18p+1;

// Angles in radians. ±infinity and NaN give NaN.
double sin(double x);  ///< <= 1 ulp; keeps −0
double cos(double x);  ///< <= 1 ulp
double tan(double x);  ///< <= 3 ulp; keeps −0
struct SinCos {
    double sin, cos;
};
SinCos sin_cos(double x);  ///< both with one reduction; the same bits as sin and cos

/// The angle of (x, y) from the x axis, in [−π, π]; <= 1 ulp. Zeros and infinities as in IEEE 754:
/// atan2(±0, −1) = ±π, atan2(±0, +0) = ±0.
double atan2(double y, double x);
double atan(double x);  ///< atan2(x, 1)

/// <= 1 ulp. Above 709.78 infinity, below −745.13 zero.
double exp(double x);
/// <= 1 ulp, exact for whole x. From 1024 on infinity, below −1075 zero.
double exp2(double x);
/// <= 1 ulp. log(±0) = −infinity, log of a negative number NaN.
double log(double x);
/// <= 1 ulp, exact for powers of two. Specials as log.
double log2(double x);
/// <= 1 ulp. Specials as in C (annex F): pow(x, 0) = pow(1, y) = 1, a negative base to a power that
/// is not whole is NaN, odd whole powers keep the sign of the base.
double pow(double x, double y);
/// √(x² + y²) without needless overflow; <= 1 ulp. An infinity wins over a NaN.
double hypot(double x, double y);
/// <= 1 ulp; keeps the sign.
double cbrt(double x);

inline float sin(float x) {
    return static_cast<float>(sin(static_cast<double>(x)));
}
inline float cos(float x) {
    return static_cast<float>(cos(static_cast<double>(x)));
}
inline float tan(float x) {
    return static_cast<float>(tan(static_cast<double>(x)));
}
inline float atan2(float y, float x) {
    return static_cast<float>(atan2(static_cast<double>(y), static_cast<double>(x)));
}
inline float atan(float x) {
    return static_cast<float>(atan(static_cast<double>(x)));
}
inline float exp(float x) {
    return static_cast<float>(exp(static_cast<double>(x)));
}
inline float exp2(float x) {
    return static_cast<float>(exp2(static_cast<double>(x)));
}
float log(float x);
inline float log2(float x) {
    return static_cast<float>(log2(static_cast<double>(x)));
}
float pow(float x, float y);
inline float hypot(float x, float y) {
    return static_cast<float>(hypot(static_cast<double>(x), static_cast<double>(y)));
}
inline float cbrt(float x) {
    return static_cast<float>(cbrt(static_cast<double>(x)));
}

}  // namespace tw::inline math
