# Tests: `ctest --test-dir build`. Unit tests see the runtime's internals; specs drive it from Lua as users do.
enable_testing()

file(GLOB UNIT_SOURCES CONFIGURE_DEPENDS tests/unit/*.c)
add_executable(thatch_unit ${UNIT_SOURCES})
target_include_directories(thatch_unit PRIVATE tests/unit)
target_link_libraries(thatch_unit PRIVATE thatch_options thatch_static)
add_test(NAME unit COMMAND thatch_unit)

include(tests/specs/specs.cmake)
