# clang 22 with Debian's wasi-libc and libc++. The target is spelled wasm32-wasi, which clang calls deprecated,
# because wasm32-wasip1 misses the folders that Debian's packages install into.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_AR llvm-ar-22)
set(CMAKE_RANLIB llvm-ranlib-22)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT -Wno-deprecated)
set(CMAKE_CXX_FLAGS_INIT "-Wno-deprecated -fno-exceptions")
# A reactor has no main; the compiler check links none either.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# The default stack is 64 KB. wasm-opt, where present, would make builds differ between machines.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mexec-model=reactor -Wl,-z,stack-size=1048576 --no-wasm-opt")
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
