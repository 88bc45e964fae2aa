#!/bin/sh
# The specs of the Lua module under the address, leak and undefined behaviour sanitizers: sanitized.sh BUILD-FOLDER [SPEC…]
# Builds the module there for Lua 5.4 with GCC, and puts the sanitizers before the interpreter. GRAZE_TIER=ci does more.
set -eu
build=$1
shift
cmake -S . -B "$build" -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGRAZE_SANITIZE=address,undefined \
  -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_CLI=OFF -DGRAZE_BUILD_LUA=ON >/dev/null
cmake --build "$build" --target graze_lua_5.4 -j 2
[ $# -gt 0 ] || set -- fuzz errors world move queries snapshots pairs bump lifetime types reentry meshes mesh_worlds
for spec in "$@"; do
  env LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=1 \
    sh tests/lua/run.sh lua5.4 "$build/lua/5.4" "tests/lua/${spec}_spec.lua"
done
