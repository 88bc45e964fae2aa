#!/bin/sh
# Builds and runs programs with the flags of pkg-config, shared and static. Without these flags the build must fail:
# otherwise the test would use another copy of the library.
# usage: pkg_config.sh CC PREFIX VERSION
set -eu
cc=$1 prefix=$2 version=$3
here=$(cd "$(dirname "$0")" && pwd)
program=$here/../../examples/first.c # the README's
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

pc=$(find "$prefix" -name graze.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(pkg-config --variable=libdir "$pc")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
# The compiler's own include and library folders are not to be left out when Graze lies in one of them.
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1

must_fail() { # WHAT COMMAND…
  what=$1
  shift
  if "$@" 2>/dev/null; then
    echo "$what, and still it links" >&2
    exit 1
  fi
}
build() { "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror "$@" -o program; }
build_and_run() {
  build "$@"
  ./program
}

cd "$folder" # where no include/ or lib/ lies about
[ "$(pkg-config --modversion graze)" = "$version" ]
[ "$(pkg-config --modversion graze_verify)" = "$version" ]
flags=$(pkg-config --cflags --libs graze)
static=$(pkg-config --static --cflags --libs graze)
verify=$(pkg-config --cflags --libs graze_verify)

build_and_run "$program" $flags
build_and_run -static "$program" $static
build_and_run "$here/verify_only.c" $verify
must_fail "no flags" build "$program"
must_fail "no --libs" build "$program" $(pkg-config --cflags graze)
must_fail "no --cflags" build "$program" $(pkg-config --libs graze)
must_fail "a solver wanted from graze_verify" build "$program" $verify
