# Fuzz targets: cmake -DCMAKE_C_COMPILER=clang -DTHATCH_FUZZ=ON -DTHATCH_SANITIZE=address,undefined,fuzzer-no-link
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "THATCH_FUZZ needs clang: -DCMAKE_C_COMPILER=clang (Debian: clang libclang-rt-14-dev)")
endif()
foreach(target image raster)
    add_executable(fuzz_${target} tests/fuzz/fuzz_${target}.c)
    target_link_libraries(fuzz_${target} PRIVATE thatch_options thatch_static)
    target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
endforeach()
