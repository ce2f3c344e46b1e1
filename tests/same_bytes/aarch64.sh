#!/bin/sh
# Does an ARM machine draw the same bytes? Builds for aarch64 with Debian's cross compiler against arm64 packages that
# are unpacked, not installed, and runs the unit tests and draw.lua under qemu-user. Usage: aarch64.sh SOURCE BUILD
# Skipped (77) without: gcc-aarch64-linux-gnu qemu-user, and arm64 in dpkg's list (dpkg --add-architecture arm64,
# apt-get update). Takes some minutes the first time.
set -eu
source=$1 build=$2
out=$build/aarch64
root=$out/root
skip() {
    echo "skipped: $1"
    exit 77
}
command -v aarch64-linux-gnu-gcc > /dev/null || skip "no cross compiler (Debian: gcc-aarch64-linux-gnu)"
command -v qemu-aarch64 > /dev/null || skip "no emulator (Debian: qemu-user)"
mkdir -p "$out/debs/partial"
log=$out/log.txt
: > "$log"

if [ ! -e "$root/.done" ]; then
    dpkg --print-foreign-architectures | grep -qx arm64 || skip "dpkg does not list arm64"
    [ "$(id -u)" = 0 ] || skip "apt-get fetches packages for root only"
    apt-get -o APT::Sandbox::User=root -o Dir::Cache::archives="$out/debs" -y --no-install-recommends --download-only \
        install libc6:arm64 libgcc-s1:arm64 libc6-dev:arm64 linux-libc-dev:arm64 libkissfft-dev:arm64 zlib1g-dev:arm64 \
        libfreetype-dev:arm64 libsdl2-dev:arm64 libxxhash-dev:arm64 libluajit-5.1-dev:arm64 lua-cjson:arm64 \
        lua-filesystem:arm64 >> "$log" 2>&1 || skip "the arm64 packages can't be fetched ($(tail -1 "$log"))"
    rm -rf "$root"
    mkdir -p "$root/usr/lib"
    ln -s usr/lib "$root/lib"
    for deb in "$out"/debs/*_arm64.deb; do
        dpkg --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$root"
    done
    touch "$root/.done"
    rm -rf "$out/debs"
fi

cat > "$out/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_SYSROOT $root)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
END
stb=$(sed -n 's/^STB_INCLUDE:PATH=//p' "$build/CMakeCache.txt")
export PKG_CONFIG_LIBDIR="$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig"
export PKG_CONFIG_SYSROOT_DIR="$root" THATCH_WATCHDOG_S=3000
cmake -G Ninja -S "$source" -B "$out/build" -DCMAKE_TOOLCHAIN_FILE="$out/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DSTB_INCLUDE="$stb" >> "$log" 2>&1 &&
    cmake --build "$out/build" --target thatch thatch_host thatch_cdef thatch_unit >> "$log" 2>&1 || {
    tail -30 "$log"
    exit 1
}

cd "$source"
failed=0
qemu-aarch64 -L "$root" "$out/build/thatch_unit" > "$out/unit.txt" 2>&1 || failed=1
tail -1 "$out/unit.txt"
for scene in everything village; do
    "$build/thatch" run tests/same_bytes/draw.lua --scene $scene > "$out/here-$scene.txt" 2>> "$log"
    qemu-aarch64 -L "$root" "$out/build/thatch" run tests/same_bytes/draw.lua --scene $scene \
        > "$out/there-$scene.txt" 2>> "$log" || failed=1
    if diff "$out/here-$scene.txt" "$out/there-$scene.txt"; then echo "$scene: the same"; else failed=1; fi
done
exit $failed
