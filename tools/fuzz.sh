#!/bin/sh
# Builds the fuzz targets in build/fuzz, and runs one or all of them.
# usage: fuzz.sh build | fuzz.sh run TARGET SECONDS | fuzz.sh all SECONDS
# A corpus is kept in build/fuzz/corpus/TARGET; an input that fails is written there too.
set -eu
cd "$(dirname "$0")/.."
build=build/fuzz
jobs=$(nproc 2>/dev/null || echo 2)

build() {
  cmake -S . -B $build -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Sanitize -DCMAKE_C_FLAGS_SANITIZE="-O1 -g1" \
    -DGRAZE_FUZZ=ON -DGRAZE_SANITIZE=address,undefined -DGRAZE_BUILD_TESTS=OFF >/dev/null
  cmake --build $build -j "$jobs"
  rm -rf $build/seeds
  mkdir -p $build/seeds
  # For the targets that read query lines, and scene files.
  cat tests/cases/reported.jsonl examples/*.jsonl | split -l 1 -a 4 - $build/seeds/line-
  cp examples/scenes/*.json $build/seeds/
}

run() { # TARGET SECONDS
  corpus=$build/corpus/$1
  mkdir -p "$corpus"
  dictionary=fuzz/$1.dict
  if grep -q each_line.h "fuzz/$1.c"; then dictionary=fuzz/query_lines.dict; fi
  if [ -f "$dictionary" ]; then set -- "$1" "$2" -dict="$dictionary"; fi
  target=$1 seconds=$2
  shift 2
  if ! $build/"$target" "$@" -max_total_time="$seconds" -timeout=60 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$corpus/" "$corpus" $build/seeds >"$build/$target.log" 2>&1; then
    cat "$build/$target.log"
    return 1
  fi
  sed -n "s/^stat::/$target:/p" "$build/$target.log"
}

case "${1:-} $#" in
  "build 1") build ;;
  "run 3") run "$2" "$3" ;;
  "all 2") for source in fuzz/*.c; do basename "$source" .c; done | xargs -P "$jobs" -I TARGET "$0" run TARGET "$2" ;;
  *) sed -n 's/^# usage: //p' "$0" >&2; exit 2 ;;
esac
