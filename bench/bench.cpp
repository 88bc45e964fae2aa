/* Times Graze and its peers on the pairs of a workload with Google Benchmark, and measures their errors in the same
 * run.
 *
 *   bench [OPTION …] FOLDER CELL            CELL: a workload of FOLDER, for instance w2_32
 *     --only NAME,…  --queries NAME,…     only these
 *     --pairs COUNT                         the first COUNT pairs
 *     --longest SECONDS                     passes use fewer pairs so that none is much longer (default 0.1)
 *     --list COUNT                          print COUNT wrong answers per contestant and query
 *     --benchmark_…                         options of Google Benchmark
 *
 * A benchmark CELL/QUERY/CONTESTANT is one pass over `pairs` queries, repeated --benchmark_repetitions times; with
 * --benchmark_enable_random_interleaving the contestants are interleaved, so that other load affects all of them. The
 * other counters come from running each query once before: see errors.h. */
#include "errors.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Choice {
  const char *only = nullptr, *queries = nullptr, *folder = nullptr, *cell = nullptr;
  size_t pairs = SIZE_MAX, list = 0;
  double longest = 0.1;
};

struct Runner {
  const bench_contestant *contestant;
  bench_query query;
  void *scene;
  std::vector<uint32_t> pairs; /* the timed ones */
  size_t queried, unknown;
  bench_error_report report;
};

} // namespace

/* Not inlined, and called for measurements only: tools find it by its name. */
extern "C" __attribute__((noinline)) double bench_pass(const Runner &runner) {
  double sum = 0, normal[3] = {0, 0, 0};
  for (uint32_t pair : runner.pairs) sum += runner.contestant->query(runner.scene, pair, runner.query, normal);
  return sum;
}

namespace {

void set_counters(benchmark::State &state, const Runner &runner, bool nasty) {
  auto &counters = state.counters;
  const bench_errors &total = runner.report.total;
  state.SetLabel(runner.contestant->calls[runner.query]);
  counters["pairs"] = static_cast<double>(runner.pairs.size());
  counters["queried"] = static_cast<double>(runner.queried);
  counters["unknown"] = static_cast<double>(runner.unknown);
  counters["single"] = runner.contestant->single;
  counters["right"] = runner.report.right;
  counters["wrong"] = static_cast<double>(total.side);
  if (runner.query != BENCH_INTERSECT) {
    counters["off"] = static_cast<double>(total.value);
    counters["max_error"] = total.worst;
    counters["p999_error"] = runner.report.p999;
  }
  if (runner.query == BENCH_DEPTH) counters["bad_normals"] = static_cast<double>(total.normal);
  for (int i = 0; nasty && i < BENCH_CATEGORIES; i++) {
    const bench_errors &e = runner.report.category[i];
    counters["wrong_" + std::to_string(i)] = static_cast<double>(e.side);
    counters["off_" + std::to_string(i)] = static_cast<double>(e.value);
  }
}

/* Whether `name` is in a comma-separated list; true without a list. */
bool is_chosen(const char *list, const char *name) {
  return !list || ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

void add(const Choice &choice, const bench_workload *workload, Runner runner) {
  runner.queried = runner.pairs.size();
  runner.report = bench_measure_errors(workload, runner.contestant, runner.scene, runner.query, runner.pairs.data(),
                                       runner.queried, choice.list);
  const double most = std::ceil(choice.longest * 1e9 / runner.report.ns);
  if (most < static_cast<double>(runner.queried)) runner.pairs.resize(static_cast<size_t>(most));
  const std::string query = bench_query_names[runner.query];
  const std::string name = std::string(workload->name) + "/" + query + "/" + runner.contestant->name;
  const bool nasty = std::strcmp(workload->name, "nasty") == 0;
  auto shared = std::make_shared<Runner>(std::move(runner));
  benchmark::RegisterBenchmark(name.c_str(), [shared, nasty](benchmark::State &state) {
    for (auto unused : state) benchmark::DoNotOptimize(bench_pass(*shared));
    set_counters(state, *shared, nasty);
  })->Iterations(1);
}

void add_contestant(const Choice &choice, const bench_workload *workload, const bench_contestant *contestant) {
  void *scene = nullptr; /* freed at exit */
  for (int q = 0; q < BENCH_QUERIES; q++) {
    const bench_query query = static_cast<bench_query>(q);
    if (!contestant->calls[q] || !is_chosen(choice.queries, bench_query_names[q])) continue;
    Runner runner{contestant, query, nullptr, {}, 0, 0, {}};
    for (size_t i = 0; i < workload->pair_count; i++) {
      if (!bench_is_queried(workload, i, query)) continue;
      runner.pairs.push_back(static_cast<uint32_t>(i));
      runner.unknown += std::isnan((query == BENCH_CAST ? workload->contact : workload->truth)[i]);
    }
    if (runner.pairs.empty()) continue;
    if (!scene) scene = contestant->prepare(workload);
    runner.scene = scene;
    add(choice, workload, std::move(runner));
  }
}

/* Returns false for invalid options. */
bool parse(int argc, char **argv, Choice &choice) {
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word[0] != '-') {
      (choice.folder ? choice.cell : choice.folder) = argv[i];
      continue;
    }
    if (!value) return false;
    i++;
    if (word == "--only")
      choice.only = value;
    else if (word == "--queries")
      choice.queries = value;
    else if (word == "--pairs")
      choice.pairs = std::strtoul(value, nullptr, 10);
    else if (word == "--longest")
      choice.longest = std::atof(value);
    else if (word == "--list")
      choice.list = std::strtoul(value, nullptr, 10);
    else
      return false;
  }
  return choice.cell;
}

} // namespace

int main(int argc, char **argv) {
  Choice choice;
  benchmark::Initialize(&argc, argv);
  if (!parse(argc, argv, choice)) {
    std::fprintf(stderr, "usage: bench [--only NAME,...] [--queries NAME,...] [--pairs COUNT] [--longest SECONDS]\n"
                         "             [--list COUNT] [--benchmark_...] FOLDER CELL\n");
    return 2;
  }
  bench_workload *workload = bench_load(choice.folder, choice.cell);
  workload->pair_count = std::min(workload->pair_count, choice.pairs);
  bench_compute_truth(workload);
  for (const bench_contestant *const *contestant = bench_contestants; *contestant; contestant++) {
    if (is_chosen(choice.only, (*contestant)->name) && (*contestant)->fits(workload))
      add_contestant(choice, workload, *contestant);
  }
  for (int q = 0; q < BENCH_QUERIES; q++)
    benchmark::AddCustomContext(std::string("truth of ") + bench_query_names[q],
                                bench_truth_source(workload, static_cast<bench_query>(q)));
  benchmark::RunSpecifiedBenchmarks();
  std::fflush(nullptr);
  std::_Exit(0); /* FCL and Coal may link different versions of octomap, which would destroy the same globals at exit */
}
