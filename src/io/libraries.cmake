# libosmium is headers over expat, protozero and zlib; the others have pkg-config files.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(EXPAT REQUIRED)
find_package(BZip2 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(spng REQUIRED IMPORTED_TARGET spng)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)
find_path(TW_OSMIUM_INCLUDE_DIR osmium/io/reader.hpp REQUIRED)
mark_as_advanced(TW_OSMIUM_INCLUDE_DIR)

target_include_directories(terraway_io SYSTEM PRIVATE ${TW_OSMIUM_INCLUDE_DIR})
target_link_libraries(terraway_io PRIVATE nlohmann_json::nlohmann_json PkgConfig::spng PkgConfig::cairo
                                          ZLIB::ZLIB EXPAT::EXPAT BZip2::BZip2 Threads::Threads)

# libosmium multiplies what a damaged file says without looking: let it wrap around. Coordinates are checked after.
set_source_files_properties(src/io/parse_osm.cpp PROPERTIES COMPILE_OPTIONS -fwrapv)
