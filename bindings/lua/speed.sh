#!/bin/sh
# Prints the speed table of the README for every installed Lua: speed.sh BUILD-FOLDER. It includes bump.lua if LUA_PATH has it.
# The machine should be idle.
set -eu
build=$1
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
names=""
for version in 5.1 5.4 jit; do
  command -v lua$version >/dev/null && [ -d "$build/lua/$version" ] || continue
  LUA_PATH="${LUA_PATH:-};./?.lua;;" LUA_CPATH="$build/lua/$version/?.so" lua$version speed.lua | sort >"$folder/$version"
  names="$names $version"
done
printf '| calls per second, in thousands |'
for version in $names; do printf ' Lua%s |' "$(echo $version | sed 's/jit/JIT/; s/^5/ 5/')"; done
printf '\n|---|'
for version in $names; do printf -- '---|'; done
printf '\n'
first=${names# }
first=${first%% *}
cut -f1 "$folder/$first" | while read -r name; do
  printf '| %s |' "$name"
  for version in $names; do
    printf ' %s |' "$(awk -F'\t' -v n="$name" '$1 == n {printf "%.0f", $2 / 1000}' "$folder/$version")"
  done
  printf '\n'
done
