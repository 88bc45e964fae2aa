#!/bin/sh
# Compiles graze.c alone, warnings as errors; links the program with it, both ways a user would, without libm.
# usage: amalgamated.sh CC FOLDER
set -eu
cc=$1 amalgamated=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tier=${GRAZE_TIER:-test}
level=-O1
[ "$tier" != test ] || level=-O0

sed 's|<graze/graze.h>|"graze.h"|' "$here/../../examples/first.c" >"$folder/quickstart.c"
"$cc" -std=c17 "$level" -Wall -Wextra -Wpedantic -Werror -c "$amalgamated/graze.c" -o "$folder/graze.o"
"$cc" -std=c99 -I"$amalgamated" "$folder/quickstart.c" "$folder/graze.o" -o "$folder/program"
"$folder/program"

[ "$tier" != test ] || exit 0
# All at once, with a compiler's defaults.
"$cc" -I"$amalgamated" "$folder/quickstart.c" "$amalgamated/graze.c" -o "$folder/program"
"$folder/program"
