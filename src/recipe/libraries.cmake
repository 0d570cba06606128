# Without it world.tw is written with plain pages, and compressed ones are refused.
if(TERRAWAY_LZ4)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
  target_link_libraries(terraway_recipe PRIVATE PkgConfig::lz4)
  target_compile_definitions(terraway_recipe PRIVATE TERRAWAY_LZ4=1)
endif()
