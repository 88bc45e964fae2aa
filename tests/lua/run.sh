#!/bin/sh
# Runs one spec by one Lua, with the module from a folder: run.sh INTERPRETER MODULE-FOLDER SPEC [BUSTED-OPTION…]
set -eu
interpreter=$1 modules=$2 spec=$3
shift 3
LUA_PATH="tests/lua/?.lua;bindings/lua/?.lua;;"
LUA_CPATH="$modules/?.so;;"
export LUA_PATH LUA_CPATH
unset LUA_INIT
exec "$interpreter" "$(command -v busted)" --output=TAP "$@" "$spec"
