target_include_directories(terraway_capi PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/bindings/c/include>)
