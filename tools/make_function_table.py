#!/usr/bin/env python3
"""Writes the constants and the reference values of math/functions.hpp from mpmath, 200 digits or more.

    tools/make_function_table.py constants > src/math/function_constants.inc
    tools/make_function_table.py tests     > tests/unit/math/function_table.inc

Nothing here calls our own functions: the tests compare them with what this script computes. The
points are the hard ones (near roots, near multiples of pi/2, at the ends of the range, subnormal)
and a fixed pseudo-random spread.
"""
import random
import struct
import sys

from mpmath import mp, mpf

mp.prec = 1600  # 2/pi is needed to 1,200 bits
INF = float("inf")


def double(value):
    """The double nearest to an mpf, ties to even, subnormals included."""
    value = mpf(value)
    if value == 0:
        return 0.0
    exponent = max(int(mp.floor(mp.log(abs(value), 2))) - 52, -1074)
    scaled = value / mpf(2) ** exponent
    whole = int(mp.floor(scaled))
    rest = scaled - whole
    if rest > 0.5 or (rest == 0.5 and whole % 2):
        whole += 1
    if abs(whole) * mpf(2) ** exponent >= mpf(2) ** 1024:
        return INF if whole > 0 else -INF
    return float(mp.ldexp(mpf(whole), exponent))


def ulp(value):
    bits = struct.unpack("<q", struct.pack("<d", abs(value)))[0]
    return mpf(2) ** max((bits >> 52) - 1075, -1074)


def text(value):
    if value == int(value) and abs(value) < 1e6:
        return repr(value)
    mantissa, exponent = value.hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent


def pair(value):
    high = double(value)
    return "{%s, %s}" % (high.hex(), double(mpf(value) - mpf(high)).hex())


def rows(values, per_line):
    for i in range(0, len(values), per_line):
        print("    " + " ".join(v + "," for v in values[i : i + per_line]))


def constants():
    print("// Written by tools/make_function_table.py constants; each value is rounded correctly.\n")
    print("// ln(256 / j) as high and low part, for j = 181 ... 362.")
    print("constexpr DoubleDouble kLogTable[] = {")
    rows([pair(mp.log(mpf(256) / j)) if j != 256 else "{0.0, 0.0}" for j in range(181, 363)], 2)
    print("};\n")
    print("// atan(j / 32) as high and low part, for j = 0 ... 32.")
    print("constexpr DoubleDouble kAtanTable[] = {")
    rows([pair(mp.atan(mpf(j) / 32)) if j else "{0.0, 0.0}" for j in range(33)], 2)
    print("};\n")
    print("// 2 / pi after the binary point, most significant word first.")
    print("constexpr std::uint32_t kTwoOverPi[] = {")
    scaled = int(mp.floor(2 / mp.pi * mpf(2) ** 1216))
    rows(["0x%08xu" % (scaled >> (1216 - 32 * (i + 1)) & 0xFFFFFFFF) for i in range(38)], 6)
    print("};")


def entry(arguments, value):
    """Arguments, the nearest double, and how far the truth lies from it in ulp of it."""
    high = double(value)
    rest = 0.0 if high in (INF, -INF) else float((mpf(value) - mpf(high)) / ulp(high))
    return "{%s, %s, %.4f}" % (", ".join(text(a) for a in arguments), text(high), rest)


def spread(rng, count, low, high):
    """Doubles whose exponents are spread evenly over [low, high] in powers of two, of both signs."""
    out = []
    for _ in range(count):
        value = (1 + rng.getrandbits(52) * 2.0**-52) * 2.0 ** rng.randint(low, high)
        out.append(value if rng.random() < 0.5 else -value)
    return out


def next_up(value, steps=1):
    bits = struct.unpack("<q", struct.pack("<d", value))[0] + steps
    return struct.unpack("<d", struct.pack("<q", bits))[0]


def angles(rng):
    out = [0.5, 1.0, 2.0**-1074, 2.0**-30, 2.0**-26, 2.0**1023, 1.7976931348623157e308,
           6381956970095103.0 * 2.0**797,  # the double nearest to a multiple of pi/2
           5.319372648326541e255, 1e22, 1e5, 2.0**20, 2.0**20 * 1.5, 2.0**21]
    for k in (1, 2, 3, 4, 5, 6, 7, 100, 12345, 2**19 + 1, 667543, 2**20 + 3, 10**9 + 7, 2**52 + 1):
        for eighth in (1, 2):
            nearest = double(k * mp.pi / (4 // eighth))
            out += [nearest, next_up(nearest), -next_up(nearest, -1)]
    for _ in range(40):
        out.append(rng.uniform(-8, 8))
    return out + spread(rng, 40, -20, 20) + spread(rng, 30, 21, 1023)


def tests():
    rng = random.Random(20_220_914)
    real = {"sin": mp.sin, "cos": mp.cos, "tan": mp.tan}
    print("// Written by tools/make_function_table.py tests: arguments, the nearest double,")
    print("// and how far the true value lies from it in units of its last place.")

    def table(name, cases, function):
        cases = [c if isinstance(c, tuple) else (c,) for c in cases]
        struct_name = "Reference1" if len(cases[0]) == 1 else "Reference2"
        print("\nconst %s k%s[] = {" % (struct_name, name))
        rows([entry(c, function(*[mpf(a) for a in c])) for c in cases], 1)
        print("};")

    points = angles(rng)
    for name, function in real.items():
        table(name.capitalize(), points, function)

    pairs = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0), (3.0, 4.0), (1.0, 2.0**60),
             (2.0**60, -1.0), (-(2.0**-60), -1.0), (2.0**-1060, 2.0**-1050), (2.0**-1074, 1.0),
             (2.0**1023, 2.0**1023), (2.0**1023, -(2.0**1022)), (5e-324, -5e-324), (1e300, 1e-300),
             (1e-300, 1e8), (1e-300, -1e300)]
    for j in range(1, 64, 3):  # at the seams of the table
        pairs += [(j / 64, 1.0), (next_up(j / 64), 1.0), (-1.0, next_up(j / 64, -1))]
    pairs += [(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(60)]
    pairs += list(zip(spread(rng, 60, -30, 30), spread(rng, 60, -30, 30)))
    table("Atan2", pairs, mp.atan2)

    points = [1.0, -1.0, 0.5, 709.782712893384, 709.78, -708.3964185322641, -708.4, -720.5, -740.0,
              -745.1, 2.0**-60, -(2.0**-60), 2.0**-1074, 0.34657359027997264, 0.34657359027997270]
    points += [next_up(double((k + mpf(0.5)) * mp.ln(2))) for k in (-1000, -50, -2, 1, 2, 700, 1000)]
    points += [rng.uniform(-1, 1) for _ in range(60)] + [rng.uniform(-745, 709) for _ in range(60)]
    points += spread(rng, 40, -40, 8)
    table("Exp", points, mp.exp)
    points = [0.5, -0.5, 1023.9999999999999, -1022.0, -1022.5, -1040.3, -1073.5, 2.0**-60, 0.1, 10.25]
    points += [rng.uniform(-1, 1) for _ in range(60)] + [rng.uniform(-1074, 1023) for _ in range(60)]
    table("Exp2", points, lambda x: mpf(2) ** x)

    points = [2.0, 10.0, 0.5, 2.718281828459045, 5e-324, 2.0**-1060 * 1.7, 2.2250738585072014e-308,
              1.7976931348623157e308, 1.4142135623730951, 1.414213562373095, 0.7071067811865476]
    for k in (1, 2, 3, 10, 1000, 2**30, 2**44, 2**48):
        points += [next_up(1.0, k), next_up(1.0, -k)]
    for j in (181, 200, 255, 256, 257, 300, 361):  # where the table's entry changes
        points += [256 / (j + 0.5), next_up(256 / (j + 0.5))]
    points += [rng.uniform(0.5, 2) for _ in range(60)]
    points += [abs(x) for x in spread(rng, 60, -1022, 1022)]
    table("Log", points, mp.log)
    table("Log2", points, lambda x: mp.log(x) / mp.ln(2))

    cases = [(2.0, 0.5), (10.0, 2.0), (10.0, -5.0), (10.0, 22.0), (10.0, 308.25), (10.0, -320.5),
             (next_up(1.0), 2.0**52), (next_up(1.0, -1), 2.0**55), (next_up(1.0, -3), -(2.0**53)),
             (1.0000001, 5e9), (0.9999999, 7e9), (5e-324, 0.25), (5e-324, -0.9), (1.7e308, 0.999),
             (1.5, 1749.5), (1.5, -1800.25), (0.1, 310.0), (-3.0, 3.0), (-3.0, 4.0), (-0.5, -601.0),
             (3.0, 1e-20), (0.3, -1e-17)]
    for _ in range(80):
        cases.append((rng.uniform(0, 4), rng.uniform(-40, 40)))
    while len(cases) < 200:
        base = abs(spread(rng, 1, -300, 300)[0])
        power = rng.uniform(-700, 700) / float(mp.log(base) or 1)
        cases.append((base, power))
    table("Pow", cases, lambda x, y: x**y)

    cases = [(3.0, 4.0), (1.0, 1.0), (5e-324, 5e-324), (1e-310, 3e-310), (1e308, 1e308), (1.0, 1e-9),
             (2.0**27, 1.0), (1e300, 1e-300), (-(2.0**-500), 2.0**-501), (1.3e154, 1.3e154)]
    cases += list(zip(spread(rng, 80, -4, 4), spread(rng, 80, -4, 4)))
    cases += list(zip(spread(rng, 60, -30, 30), spread(rng, 60, -30, 30)))
    table("Hypot", cases, lambda x, y: mp.sqrt(x * x + y * y))

    points = [2.0, 3.0, -3.0, 0.1, 5e-324, 1e-310, 1.7976931348623157e308, 7.999999999999999, 9.0]
    points += [rng.uniform(-8, 8) for _ in range(60)] + spread(rng, 80, -1022, 1022)
    table("Cbrt", points, lambda x: mp.sign(x) * mp.cbrt(abs(x)))


if __name__ == "__main__":
    if sys.argv[1:] == ["constants"]:
        constants()
    elif sys.argv[1:] == ["tests"]:
        tests()
    else:
        sys.exit(__doc__)
