#!/bin/sh
# Looks for what a task needs, and installs what is missing with apt-get where it may (as root, or with a sudo that asks
# no password), saying so. Elsewhere it says exactly what to install, and fails.
# usage: setup.sh core|run|test|ci     core: only look for a compiler and CMake, install nothing
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
if [ "$task" != core ]; then
  header_from jansson.h libjansson-dev
  command_from python3 python3
fi
case $task in test | ci)
  header_from cmocka.h libcmocka-dev
  header_from gmp.h libgmp-dev
  header_from mpfr.h libmpfr-dev
  command_from g++ g++
  command_from pkg-config pkg-config
  ;;
esac
if [ "$task" = ci ]; then
  command_from gcc gcc
  command_from clang clang
  command_from ninja ninja-build
  command_from clang-format clang-format
  command_from doxygen doxygen
  dpkg -s libclang-rt-14-dev >/dev/null 2>&1 || missing="$missing libclang-rt-14-dev"
fi
[ -n "$missing" ] || exit 0

say="missing:$missing
On Debian and Ubuntu: apt-get install$missing"
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if [ "$task" = core ] || ! has apt-get || ! ${as_root:-true} true 2>/dev/null; then
  echo "$say" >&2
  exit 1
fi
echo "Installing what is missing:$missing" >&2
# shellcheck disable=SC2086 # a list of packages
{ $as_root apt-get update -qq || true; } >&2 &&
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $missing >&2 || {
  echo "$say" >&2
  exit 1
}
