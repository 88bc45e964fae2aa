#!/bin/sh
# `luarocks make` builds the module from its rockspec, in a copy of the sources, and what it installs works; so does what
# `cmake --install` installs from the same build, which gets no folders.
set -eu
command -v luarocks >/dev/null && command -v lua5.4 >/dev/null || { echo "skipped: no luarocks, or no Lua 5.4"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/docs"
cp -r CMakeLists.txt cmake include src bindings "$folder"
cp docs/lua.md "$folder/docs"
rm -rf "$folder/bindings/lua/build.luarocks" # of a `luarocks make` by hand
(
  cd "$folder/bindings/lua"
  # Quickly made: what is tested is that it is.
  CMAKE_BUILD_TYPE=Debug CMAKE_BUILD_PARALLEL_LEVEL=2 HOME=$folder luarocks --lua-version 5.4 --tree "$folder/tree" make graze-*.rockspec >log 2>&1 || {
    tail -30 log
    exit 1
  }
)
# works TREE: what is installed there does.
works() {
  LUA_PATH="$1/share/lua/5.4/?.lua" LUA_CPATH="$1/lib/lua/5.4/?.so" \
    lua5.4 -e 'require "graze_sat" require "graze.bump" dofile "examples/lua/first.lua"' | tee "$folder/said"
  grep -q '^gap 1.5 in' "$folder/said"
}
# has FOLDER: what editors need, and the documents.
has() {
  for file in library/graze.lua library/world.lua doc/README.md doc/API.md doc/lua.md; do test -s "$1/$file"; done
}
works "$folder/tree"
(
  eval "$(HOME=$folder luarocks --lua-version 5.4 --tree "$folder/tree" path)" # as in the README
  cd "$folder/docs" && lua5.4 -e 'assert(require "graze".version())'
)
has "$(HOME=$folder luarocks --lua-version 5.4 --tree "$folder/tree" show --rock-dir graze)"
cmake -S "$folder/bindings/lua" -B "$folder/bindings/lua/build.luarocks" -U LIBDIR -U LUADIR -U DATADIR >/dev/null
cmake --install "$folder/bindings/lua/build.luarocks" --prefix "$folder/there" >/dev/null
works "$folder/there"
has "$folder/there/share/graze-lua"
if cmake -S "$folder/bindings/lua" -B "$folder/none" -DLUA_INCDIR="$folder" >"$folder/said" 2>&1; then exit 1; fi
grep -q "LUA_INCDIR: .* has no lua.h" "$folder/said"
version=$(sed -n 's/^#define GRAZE_VERSION "\(.*\)"$/\1/p' include/graze/graze.h)
grep -q "^version = \"$version-1\"" bindings/lua/graze-"$version"-1.rockspec
echo ok
