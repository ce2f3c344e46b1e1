#!/bin/sh
# Do the builds of two compilers draw the same bytes? Usage: same_bytes.sh SOURCE BUILD: builds with clang in
# BUILD/same-bytes (exit 77, skipped, where there is no clang or the build is clang's), then runs same_bytes_spec with both.
set -eu
source=$1 build=$2
clang=$(command -v clang || command -v clang-14 || true)
if [ -z "$clang" ]; then
    echo "skipped: there is no clang (Debian: clang)"
    exit 77
fi
if grep -qi 'CMAKE_C_COMPILER:.*clang' "$build/CMakeCache.txt"; then
    echo "skipped: the build is clang's"
    exit 77
fi
other=$build/same-bytes
cmake --build "$build" --target thatch thatch_host thatch_cdef > "$build/same-bytes.log" 2>&1
CC=$clang cmake -G Ninja -S "$source" -B "$other" -DCMAKE_BUILD_TYPE=Release >> "$build/same-bytes.log" 2>&1 &&
    cmake --build "$other" --target thatch thatch_host thatch_cdef >> "$build/same-bytes.log" 2>&1 || {
    tail -30 "$build/same-bytes.log"
    exit 1
}
hashes=$build/same-bytes.txt
rm -f "$hashes"
cd "$source"
for program in "$build/thatch" "$other/thatch"; do
    THATCH_SAME_BYTES=$hashes "$program" test tests/specs/same_bytes_spec.lua --filter compiler
done
# Fused arithmetic switched off in the C library's dispatch stands for a machine without it.
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-AVX2,-FMA THATCH_SAME_BYTES=$hashes "$build/thatch" test \
    tests/specs/same_bytes_spec.lua --filter compiler
