#pragma once
// Benchmarks have nobody to hand an error to.

#include "terraway/core/result.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tw {

template <class T>
T value_or_exit(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", to_string(result.error()).c_str());
        std::exit(1);
    }
    return std::move(result).value();
}

}  // namespace tw
