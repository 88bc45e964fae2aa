#!/bin/sh
# Searches for the packages that a task needs. With permission (root, or sudo without a password) it installs missing ones
# with apt-get. Otherwise it prints the exact list and fails.
# usage: setup.sh core|run|test|lua|python|soak|bench|ci     core: only search for a compiler and CMake, install nothing
# test and ci take Lua 5.4 and LuaJIT, lua and soak every Lua.
set -eu
task=${1:-test}

compiler() { for c in ${CC:-} cc gcc clang; do command -v "$c" >/dev/null && echo "$c" && return; done; }
has() { command -v "$1" >/dev/null; }
has_header() {
  c=$(compiler)
  if [ -n "$c" ]; then echo "#include <$1>" | "$c" -E - >/dev/null 2>&1; else false; fi
}
missing=""
command_from() { has "$1" || missing="$missing $2"; }
header_from() { has_header "$1" || missing="$missing $2"; }

[ -n "$(compiler)" ] || missing="$missing gcc"
has_header stdio.h || missing="$missing libc6-dev"
command_from cmake cmake
[ "$task" = core ] || command_from python3 python3
case $task in core | python) ;; *) header_from jansson.h libjansson-dev ;; esac # of the commands
case $task in test | soak | ci)
  header_from cmocka.h libcmocka-dev
  header_from gmp.h libgmp-dev
  header_from mpfr.h libmpfr-dev
  command_from g++ g++
  command_from pkg-config pkg-config
  ;;
esac
case $task in python | ci) # the system's Python has its headers and `venv` in packages of their own
  command_from g++ g++
  python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
  header=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null || true)
  [ -f "$header/Python.h" ] || missing="$missing python3-dev"
  ;;
esac
if [ "$task" = soak ]; then
  command_from clang clang
  dpkg -s libclang-rt-14-dev >/dev/null 2>&1 || missing="$missing libclang-rt-14-dev"
fi
if [ "$task" = ci ]; then
  command_from ccache ccache
  command_from gcc gcc
  command_from clang clang
  command_from ninja ninja-build
  command_from clang-format clang-format
  command_from doxygen doxygen
  dpkg -s libclang-rt-14-dev >/dev/null 2>&1 || missing="$missing libclang-rt-14-dev"
  command_from valgrind valgrind
fi
module_from() { pkg-config --exists "$1" 2>/dev/null || missing="$missing $2"; }
case $task in bench | ci) module_from benchmark libbenchmark-dev ;; esac
if [ "$task" = bench ]; then
  command_from g++ g++
  command_from pkg-config pkg-config
  module_from ccd libccd-dev
  module_from fcl libfcl-dev
  module_from bullet-float64 libbullet-dev
  header_from embree3/rtcore.h libembree-dev
  module_from ode libode-dev
  module_from box2d libbox2d-dev
  header_from chipmunk/chipmunk.h libchipmunk-dev
  header_from mujoco/mujoco.h libmujoco-dev
fi
# Packages of tests that are skipped without them. In CI nothing is skipped.
core_missing=$missing
missing=""
# Model files are read with Assimp.
case $task in test | soak | ci) header_from assimp/cimport.h libassimp-dev ;; esac
# The pages of `graze explain` are tested in a browser.
case $task in test | soak | ci) has chromedriver && has chromium || missing="$missing chromium chromium-driver" ;; esac
# The Lua module: the Lua versions, busted, and LÖVE with a virtual display.
case $task in lua | soak)
  for version in 5.1 5.2 5.3; do command_from lua$version lua$version; done
  header_from lua5.1/lua.h liblua5.1-0-dev
  for version in 5.2 5.3; do header_from lua$version/lua.h liblua$version-dev; done
  ;;
esac
case $task in test | lua | soak | ci)
  command_from lua5.4 lua5.4
  header_from lua5.4/lua.h liblua5.4-dev
  command_from luajit luajit
  header_from luajit-2.1/lua.h libluajit-5.1-dev
  command_from luarocks luarocks
  command_from busted lua-busted
  command_from luacheck lua-check
  command_from love love
  command_from Xvfb xvfb
  command_from xauth xauth
  ;;
esac
optional=$missing
missing=$core_missing
if [ "$task" = ci ] || [ "$task" = lua ]; then
  missing="$missing$optional"
  optional=""
fi
[ -n "$missing$optional" ] || exit 0

message="missing:$missing
On Debian and Ubuntu: apt-get install$missing"
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if [ -n "$optional" ] && { ! has apt-get || ! ${as_root:-true} true 2>/dev/null; }; then
  echo "Some tests, of pages, model files or the Lua module, will be skipped. To have them, on Debian: apt-get install$optional" >&2
  optional=""
  [ -n "$missing" ] || exit 0
fi
if [ "$task" = core ] || ! has apt-get || ! ${as_root:-true} true 2>/dev/null; then
  echo "$message" >&2
  exit 1
fi
echo "Installing what is missing:$missing$optional" >&2
install() {
  # shellcheck disable=SC2086 # a list of packages
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $1 >&2
}
{ $as_root apt-get update -qq || true; } >&2
if [ -n "$missing" ] && ! install "$missing"; then
  echo "$message" >&2
  exit 1
fi
[ -z "$optional" ] || install "$optional" || echo "Without$optional some tests, of pages, model files or the Lua module, will be skipped." >&2
