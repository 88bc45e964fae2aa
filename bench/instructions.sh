#!/usr/bin/env bash
# Instructions per query, by cell: reproducible figures that show whether a code change is faster. Counted by callgrind,
# which supports AVX2 but not AVX-512. `make check` counts a few fixed queries (tools/check_instructions.py).
#
#   bench/instructions.sh build/bench/bench FOLDER [CELL ...]
#
# TOP=12 also lists the most expensive functions, including their callees. FOLDER: made by build/bench/workloads.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bench=$1 folder=$2
shift 2
cells=("$@")
[ ${#cells[@]} -gt 0 ] ||
  cells=(w1 w2_8 w2_32 w2_128 w2_1024 w3_capbox w3_sphhull w3_cylbox w3_ellell w4 nasty)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The functions below bench_pass, each once. Inlined code counts for the function that contains it.
top() {
  sed -n 's/^ *[0-9,]* ( *\([0-9.]*%\)) *[^ ]*:\([a-zA-Z_][a-zA-Z_0-9.]*\).*/\1 \2/p' |
    awk -v most="$TOP" '$2 ~ /^(bench_pass|pairs_query|main|below|__libc.*)$/ || seen[$2]++ || shown++ >= most { next }
      { print "    " $1, $2 }'
}

# One cell, its first pairs.
count() {
  local cell=$1 query=$2 pairs=1000
  case $cell in w2_1024) pairs=100 ;; w2_128) pairs=300 ;; nasty) pairs=5000 ;; esac
  local queries total
  valgrind --tool=callgrind --callgrind-out-file="$scratch/out" --toggle-collect=bench_pass "$bench" --only graze \
    --queries "$query" --pairs "$pairs" --longest 1e9 --benchmark_out="$scratch/json" "$folder" "$cell" \
    >"$scratch/log" 2>&1
  queries=$(python3 -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["benchmarks"][0]["pairs"]))' "$scratch/json")
  total=$(sed -n 's/^\(summary\|totals\): *\([0-9]*\).*/\2/p' "$scratch/out" | head -n 1)
  printf '%-11s %-9s %8d\n' "$cell" "$query" $((total / queries))
  [ -z "${TOP:-}" ] || callgrind_annotate --inclusive=yes "$scratch/out" 2>/dev/null | top
}

printf '%-11s %-9s %8s\n' cell query instr
for cell in "${cells[@]}"; do
  count "$cell" intersect
  count "$cell" distance
  case $cell in w3_* | w4) ;; *) count "$cell" depth ;; esac
done
