# Each spec is a test of its own. Plain LuaJIT runs them; a library with sanitizers needs the host instead.
file(GLOB SPECS CONFIGURE_DEPENDS tests/specs/*_spec.lua)
foreach(spec ${SPECS})
    get_filename_component(name ${spec} NAME_WE)
    if(THATCH_SANITIZE)
        add_test(NAME specs/${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
            COMMAND thatch_host run ${CMAKE_SOURCE_DIR}/tests/specs/run.lua -o plainTerminal -p _spec ${spec})
    else()
        add_test(NAME specs/${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMAND thatch_host test ${spec})
    endif()
    set_tests_properties(specs/${name} PROPERTIES TIMEOUT 300
        ENVIRONMENT "THATCH_PROGRAM=$<TARGET_FILE:thatch_host>;UBSAN_OPTIONS=halt_on_error=1")
endforeach()
