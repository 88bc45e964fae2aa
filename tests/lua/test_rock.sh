#!/bin/sh
# `luarocks make` builds the module from its rockspec, in a copy of the sources, and what it installs works.
set -eu
command -v luarocks >/dev/null && command -v lua5.4 >/dev/null || { echo "skipped: no luarocks, or no Lua 5.4"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r CMakeLists.txt cmake include src bindings "$folder"
rm -rf "$folder/bindings/lua/build.luarocks" # of a `luarocks make` by hand
(
  cd "$folder/bindings/lua"
  # Quickly made: what is tested is that it is.
  CMAKE_BUILD_TYPE=Debug CMAKE_BUILD_PARALLEL_LEVEL=2 HOME=$folder luarocks --lua-version 5.4 --tree "$folder/tree" make graze-*.rockspec >log 2>&1 || {
    tail -30 log
    exit 1
  }
)
LUA_PATH="$folder/tree/share/lua/5.4/?.lua"
LUA_CPATH="$folder/tree/lib/lua/5.4/?.so"
export LUA_PATH LUA_CPATH
lua5.4 -e 'require "graze_sat" require "graze.bump" dofile "examples/lua/first.lua"' | tee "$folder/said"
grep -q '^gap 1.5 in' "$folder/said"
version=$(sed -n 's/^#define GRAZE_VERSION "\(.*\)"$/\1/p' include/graze/graze.h)
grep -q "^version = \"$version-1\"" bindings/lua/graze-"$version"-1.rockspec
echo ok
