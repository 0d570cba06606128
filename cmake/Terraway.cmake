# How every folder of src/ becomes a library, and its tests a program.

# Compilers behind ccache where there is one: nine builds share much of their work between runs.
find_program(TW_CCACHE ccache)
mark_as_advanced(TW_CCACHE)
if(TW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TW_CCACHE})
endif()

# What "same recipe, same bits" asks of every object that links us.
add_library(terraway_options INTERFACE)
target_compile_features(terraway_options INTERFACE cxx_std_20)
target_compile_options(terraway_options INTERFACE -ffp-contract=off)

# What we ask of ourselves only.
set(TW_WARNINGS -Wall -Wextra -Wshadow -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
                -Wimplicit-fallthrough -Werror
                # g++ 12 sees an overlap in "literal" + std::string (GCC bug 105651).
                $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# tw_add_library(<folder> [DEPS <folder>...] [WITH_EXCEPTIONS])
# Sources are src/<folder>/*.cpp; public headers stand in include/terraway/<folder>.
function(tw_add_library folder)
  cmake_parse_arguments(arg "WITH_EXCEPTIONS" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  if(NOT sources)
    add_library(terraway_${folder} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(terraway_${folder} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(terraway_${folder} PRIVATE ${TW_WARNINGS})
    if(NOT arg_WITH_EXCEPTIONS)
      target_compile_options(terraway_${folder} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
    endif()
  endif()
  add_library(terraway::${folder} ALIAS terraway_${folder})
  set_target_properties(terraway_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(terraway_${folder} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(terraway_${folder} ${scope} terraway_options)
  foreach(dep IN LISTS arg_DEPS)
    target_link_libraries(terraway_${folder} ${scope} terraway_${dep})
  endforeach()
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${folder}/libraries.cmake)
    include(${PROJECT_SOURCE_DIR}/src/${folder}/libraries.cmake)
  endif()
  set_property(GLOBAL APPEND PROPERTY TW_LIBRARIES terraway_${folder})
endfunction()

# tw_add_tests(<name> LABEL <label> LIBS <folder>... SOURCES <file>...): one GoogleTest program, known to ctest case
# by case under the label unit-<folder>, property, golden or integration.
function(tw_add_tests name)
  cmake_parse_arguments(arg "" "LABEL" "LIBS;SOURCES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${TW_WARNINGS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE TERRAWAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  foreach(lib IN LISTS arg_LIBS)
    target_link_libraries(${name} PRIVATE terraway_${lib})
  endforeach()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120 PROPERTIES TIMEOUT 300 LABELS ${arg_LABEL})
endfunction()
