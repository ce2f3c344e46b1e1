#!/bin/sh
# All tests under ASan with UBSan, the threads under TSan, and a short walk under valgrind: the bar is no report.
#   tests/sanitize.sh [asan] [tsan] [valgrind]      all three when none is named
# Builds lie in build-asan and build-tsan, or under $THATCH_SANITIZE_FOLDER.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${THATCH_SANITIZE_FOLDER:-$root}
jobs=${JOBS:-2}
cd "$root" || exit 1
failed=0
say() { printf '%s\n' "$*"; }
check() { # what, log, exit code
    pattern='ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error:|Invalid (read|write)|uninitialised'
    reports=$(grep -cE "$pattern" "$2")
    if [ "$3" -eq 0 ] && [ "$reports" -eq 0 ]; then
        say "ok       $1: $(tail -n 1 "$2" | cut -c 1-60)"
    else
        failed=$((failed + 1))
        say "FAILED   $1 (code $3, $reports reports): see $2"
    fi
}
build() { # name, sanitizers
    say "building $folder/build-$1"
    mkdir -p "$folder/build-$1"
    log=$folder/build-$1/build.log
    { cmake -G Ninja -S "$root" -B "$folder/build-$1" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DTHATCH_SANITIZE=$2" &&
        ninja -j "$jobs" -C "$folder/build-$1"; } >"$log" 2>&1 && return
    say "FAILED   the build: see $log"
    exit 1
}
run() { # what, log, command …
    what=$1 log=$2
    shift 2
    "$@" >"$log" 2>&1
    check "$what" "$log" $?
}

asan() {
    build asan address,undefined
    out=$folder/build-asan
    export LSAN_OPTIONS="suppressions=$root/tests/leaks.supp:print_suppressions=0"
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    run 'asan: unit tests' "$out/unit.log" "$out/thatch_unit"
    run 'asan: village, 24 frames' "$out/bench.log" "$out/thatch" bench village --size 160x90 --frames 24
    for spec in tests/specs/*_spec.lua; do
        name=$(basename "$spec" .lua)
        case $name in
            # They build or lint, start the program by the hundred, or measure its memory.
            lint_spec | readme_spec | storm_spec | kill_spec) continue ;;
        esac
        run "asan: $name" "$out/$name.log" env THATCH_SPECS_IN_HOST=1 timeout 900 "$out/thatch" test "$spec"
    done
}

tsan() {
    build tsan thread
    out=$folder/build-tsan
    export TSAN_OPTIONS=halt_on_error=0
    run 'tsan: unit tests' "$out/unit.log" "$out/thatch_unit"
    run 'tsan: village, 6 frames by 4 threads' "$out/bench.log" "$out/thatch" bench village \
        --size 160x90 --frames 6 --threads 4
}

memcheck() {
    program=${THATCH_BUILD:-$root/build}/thatch
    out=$folder/build-valgrind.log
    # No AVX-512 in valgrind; LuaJIT writes machine code, which is what --smc-check is for. Loading takes minutes.
    run 'valgrind: village, 3 frames' "$out" env THATCH_WATCHDOG_S=3600 valgrind --error-exitcode=9 --smc-check=all-non-file \
        "$program" bench village \
        --size 160x90 --frames 3 --warmup 0 --isa sse2 --threads 1
}

[ $# -gt 0 ] || set -- asan tsan valgrind
for part in "$@"; do
    case $part in
        asan) asan ;;
        tsan) tsan ;;
        valgrind) memcheck ;;
        *)
            say "sanitize.sh: there is no part '$part', need asan, tsan or valgrind" >&2
            exit 2
            ;;
    esac
done
[ $failed -eq 0 ] && say 'no report' || say "$failed failed"
[ $failed -eq 0 ]
