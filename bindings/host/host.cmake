# The program, and what an installation holds.
include(GNUInstallDirs)

add_executable(thatch_host bindings/host/main.c bindings/host/confine.c)
set_target_properties(thatch_host PROPERTIES OUTPUT_NAME thatch INSTALL_RPATH "$ORIGIN/../lib")
target_compile_definitions(thatch_host PRIVATE THATCH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
# libthatch is loaded by the bindings; linked too, so that sanitizers and the loader find it beside the program.
target_link_libraries(thatch_host PRIVATE thatch_options thatch PkgConfig::LUAJIT Threads::Threads)
target_link_options(thatch_host PRIVATE -Wl,--no-as-needed)

install(TARGETS thatch_host RUNTIME DESTINATION bin)
install(TARGETS thatch thatch_static LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
install(FILES runtime/thatch.h DESTINATION include)
install(FILES ${CDEF} LICENSE DESTINATION share/thatch)
install(DIRECTORY bindings/thatch bindings/meta DESTINATION share/thatch/bindings)
install(DIRECTORY scripts DESTINATION share/thatch)
install(DIRECTORY scenes DESTINATION share/thatch OPTIONAL)
install(DIRECTORY bench/neutral DESTINATION share/thatch/bench)
