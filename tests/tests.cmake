# Tests: `ctest --test-dir build`. Unit tests see the runtime's internals; specs drive it from Lua as users do.
enable_testing()

file(GLOB UNIT_SOURCES CONFIGURE_DEPENDS tests/unit/*.c)
add_executable(thatch_unit ${UNIT_SOURCES})
target_include_directories(thatch_unit PRIVATE tests/unit)
target_link_libraries(thatch_unit PRIVATE thatch_options thatch_static)
add_test(NAME unit COMMAND thatch_unit)

include(tests/specs/specs.cmake)

# The same bytes from other builds: makes them below the build folder.
add_test(NAME same-bytes/builds
    COMMAND ${CMAKE_SOURCE_DIR}/tests/same_bytes/compare.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
add_test(NAME same-bytes/aarch64
    COMMAND ${CMAKE_SOURCE_DIR}/tests/same_bytes/aarch64.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(same-bytes/builds same-bytes/aarch64
    PROPERTIES LABELS same-bytes SKIP_RETURN_CODE 77 TIMEOUT 1500)
if(THATCH_SANITIZE)
    set_tests_properties(same-bytes/builds same-bytes/aarch64 PROPERTIES DISABLED TRUE)
endif()
set_tests_properties(specs/same_bytes_spec PROPERTIES LABELS same-bytes)

option(THATCH_FUZZ "Build the fuzz targets (clang only): tests/README.md" OFF)
if(THATCH_FUZZ)
    include(tests/fuzz/fuzz.cmake)
endif()
