#!/bin/sh
# Do other builds, and an other C library's dispatch, draw the same bytes? Usage: compare.sh SOURCE BUILD [--full]
# Always: this build; this build with FMA and AVX2 switched off in the C library, which stands for a machine without
# them; the other compiler's; one -march level. --full adds every level, every preset of the village and more threads.
# Exit 77, skipped, where there is no clang.
set -eu
source=$1 build=$2 full=${3-}
clang=$(command -v clang || command -v clang-14 || true)
if [ -z "$clang" ]; then
    echo "skipped: there is no clang (Debian: clang)"
    exit 77
fi
gcc=$(command -v gcc)
out=$build/same-bytes
log=$build/same-bytes.log
mkdir -p "$out"
: > "$log"
export THATCH_WATCHDOG_S=600

make_build() { # folder, compiler, march
    CC=$2 cmake -G Ninja -S "$source" -B "$1" -DCMAKE_BUILD_TYPE=Release -DTHATCH_MARCH="$3" >> "$log" 2>&1 &&
        cmake --build "$1" --target thatch thatch_host thatch_cdef >> "$log" 2>&1 || {
        tail -30 "$log"
        exit 1
    }
}

failed=0
draw() { # name, program
    # shellcheck disable=SC2086 # --full or nothing
    if ! (cd "$source" && "$2" run tests/same_bytes/draw.lua $full) > "$out/$1.txt" 2>> "$log"; then
        echo "$1: failed"
        tail -5 "$log"
        failed=$((failed + 1))
    elif [ "$1" != this ] && ! cmp -s "$out/this.txt" "$out/$1.txt"; then
        echo "$1: other bytes"
        diff "$out/this.txt" "$out/$1.txt" || true
        failed=$((failed + 1))
    else
        echo "$1: $(wc -l < "$out/$1.txt") scenes at a preset, the same"
    fi
}

draw this "$build/thatch"
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-AVX2,-FMA draw "other libc dispatch" "$build/thatch"
make_build "$out/clang" "$clang" ""
draw clang "$out/clang/thatch"
if [ "$full" = --full ]; then
    levels="x86-64 x86-64-v2 x86-64-v3"
    for compiler in gcc clang; do
        for level in $levels; do
            [ $compiler = gcc ] && path=$gcc || path=$clang
            make_build "$out/$compiler-$level" "$path" $level
            draw "$compiler $level" "$out/$compiler-$level/thatch"
        done
    done
elif [ "$(uname -m)" = x86_64 ] && grep -q ' fma ' /proc/cpuinfo; then # where a careless build would fuse
    make_build "$out/gcc-x86-64-v3" "$gcc" x86-64-v3
    draw "gcc x86-64-v3" "$out/gcc-x86-64-v3/thatch"
fi
echo "$failed failed"
[ $failed -eq 0 ]
