#!/bin/sh
# luacheck finds nothing in the Lua files; the annotations are no program.
set -eu
command -v luacheck >/dev/null || { echo "skipped: no luacheck (Debian: apt-get install lua-check)"; exit 0; }
luacheck --quiet --std max+busted --max-line-length 120 --globals love -- bindings/lua/graze bindings/lua/graze_sat.lua \
  bindings/lua/speed.lua examples/lua tests/lua
