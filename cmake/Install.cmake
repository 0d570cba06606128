# find_package(terraway) gives terraway::<folder> for every folder but io, and terraway::terraway for all of them.
# find_package(terraway COMPONENTS io) gives terraway::io too, and asks for the libraries that io stands on.
include(CMakePackageConfigHelpers)

get_property(tw_libraries GLOBAL PROPERTY TW_LIBRARIES)
set(tw_io ${tw_libraries})
list(FILTER tw_io INCLUDE REGEX "_io$")
list(FILTER tw_libraries EXCLUDE REGEX "_io$")

add_library(terraway_whole INTERFACE)
add_library(terraway::terraway ALIAS terraway_whole)
set_target_properties(terraway_whole PROPERTIES EXPORT_NAME terraway)
target_link_libraries(terraway_whole INTERFACE ${tw_libraries})

set(tw_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/terraway)
install(TARGETS ${tw_libraries} terraway_options terraway_whole EXPORT terraway-targets)
install(EXPORT terraway-targets NAMESPACE terraway:: DESTINATION ${tw_config_dir})
if(tw_io)
  install(TARGETS ${tw_io} EXPORT terraway-io-targets)
  install(EXPORT terraway-io-targets NAMESPACE terraway:: DESTINATION ${tw_config_dir})
endif()
install(DIRECTORY include/terraway DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY bindings/c/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/terraway-config.cmake.in terraway-config.cmake
  INSTALL_DESTINATION ${tw_config_dir})
write_basic_package_version_file(terraway-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/terraway-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/terraway-config-version.cmake
        DESTINATION ${tw_config_dir})
