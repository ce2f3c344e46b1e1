#!/bin/sh
# thatch against an OpenGL program on Mesa's llvmpipe, over the neutral scene, in turns: the speed of a machine drifts,
# so only the two runs of one round are compared. Prints a table, and how near the pictures of the middle frame are.
#
# usage: bench/compare.sh GLBENCH FOLDER [ROUNDS] [SIZE ...]
#   GLBENCH  draws a VSC1 file: --scene F --size WxH --shadow 1 --repeat 1 --name N --threads N [--ppm F]; prints CSV
#            whose eighth column is the median in ms
#   FOLDER   holds small.vsc, medium.vsc and large.vsc, or some of them
# THREADS (2) is for both, NICE (0) too.
set -eu
usage='usage: bench/compare.sh GLBENCH FOLDER [ROUNDS] [SIZE ...]'
glbench=${1:?$usage}
scenes=${2:?$usage}
rounds=${3:-5}
[ $# -gt 3 ] && shift 3 || set -- 640x360 1920x1080
here=$(cd "$(dirname "$0")" && pwd)
thatch=${THATCH:-$here/../thatch}
threads=${THREADS:-2}
neutral=$here/neutral
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

ours() { # scene size
    nice -n "${NICE:-0}" "$thatch" bench "$neutral/scene.lua" --quality "$neutral/quality.lua" --size "$2" \
        --threads "$threads" --frames 60 --warmup 60 -- "$scenes/$1.vsc" 2>/dev/null |
        sed 's/.*"frame_ms": {"median": \([0-9.e-]*\).*/\1/'
}
theirs() { # scene size
    LP_NUM_THREADS=$threads nice -n "${NICE:-0}" "$glbench" --name llvmpipe --threads "$threads" \
        --scene "$scenes/$1.vsc" --size "$2" --shadow 1 --repeat 1 2>/dev/null | cut -d, -f8
}

[ -x "$glbench" ] || { echo "compare.sh: $glbench is no program" >&2 && exit 2; }
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $threads threads, load $(cut -d' ' -f1 /proc/loadavg)"
echo
for round in $(seq "$rounds"); do
    for scene in small medium large; do
        [ -f "$scenes/$scene.vsc" ] || continue
        for size in "$@"; do
            echo "round $round: $scene $size" >&2
            echo "$scene $size thatch $(ours $scene "$size")" >>"$work/rows"
            echo "$scene $size llvmpipe $(theirs $scene "$size")" >>"$work/rows"
        done
    done
done
"$thatch" run "$here/ratios.lua" "$work/rows" thatch llvmpipe
echo
for scene in small medium large; do
    [ -f "$scenes/$scene.vsc" ] || continue
    for size in "$@"; do
        LP_NUM_THREADS=$threads "$glbench" --name llvmpipe --threads "$threads" --scene "$scenes/$scene.vsc" \
            --size "$size" --shadow 1 --repeat 1 --ppm "$work/theirs.ppm" >/dev/null 2>&1
        "$thatch" run "$here/ppm.lua" "$work/theirs.ppm" "$work/theirs.png"
        "$thatch" shot "$neutral/scene.lua" --quality "$neutral/quality.lua" --size "$size" --frame 30 \
            --out "$work/ours.png" -- "$scenes/$scene.vsc" 2>/dev/null
        echo "$scene $size: $("$thatch" diff "$work/ours.png" "$work/theirs.png" | grep PSNR)"
    done
done
