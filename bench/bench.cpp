/* Times Graze and its peers on the pairs of one workload, by Google Benchmark, and counts their errors in the same run.
 *
 *   bench [OPTION …] FOLDER CELL            CELL: a workload of FOLDER, for instance w2_32
 *     --only NAME,…  --questions NAME,…     these alone
 *     --pairs COUNT                         the first so many pairs
 *     --longest SECONDS                     passes are cut so that none is much longer (0.1)
 *     --list COUNT                          print so many wrong answers of each contestant and question
 *     --benchmark_…                         what Google Benchmark takes
 *
 * A benchmark CELL/QUESTION/CONTESTANT is one pass over `pairs` questions, repeated --benchmark_repetitions times; with
 * --benchmark_enable_random_interleaving the contestants take turns, so that what else the machine does meets them all.
 * Its other counters come from asking each question once beforehand: see judge.h. */
#include "judge.h"

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
  const char *only = nullptr, *questions = nullptr, *folder = nullptr, *cell = nullptr;
  size_t pairs = SIZE_MAX, list = 0;
  double longest = 0.1;
};

struct Runner {
  const bench_contestant *contestant;
  bench_question question;
  void *scene;
  std::vector<uint32_t> pairs; /* that are timed */
  size_t asked, unknown;
  bench_verdict verdict;
};

} // namespace

/* Not inlined, and called only for what is to be measured: tools find it by its name. */
extern "C" __attribute__((noinline)) double bench_pass(const Runner &runner) {
  double sum = 0, normal[3] = {0, 0, 0};
  for (uint32_t pair : runner.pairs) sum += runner.contestant->ask(runner.scene, pair, runner.question, normal);
  return sum;
}

namespace {

void tell(benchmark::State &state, const Runner &runner, bool nasty) {
  auto &counters = state.counters;
  const bench_errors &total = runner.verdict.total;
  state.SetLabel(runner.contestant->calls[runner.question]);
  counters["pairs"] = static_cast<double>(runner.pairs.size());
  counters["asked"] = static_cast<double>(runner.asked);
  counters["unknown"] = static_cast<double>(runner.unknown);
  counters["single"] = runner.contestant->single;
  counters["right"] = runner.verdict.right;
  counters["wrong"] = static_cast<double>(total.side);
  if (runner.question != BENCH_INTERSECT) {
    counters["off"] = static_cast<double>(total.value);
    counters["max_error"] = total.worst;
    counters["p999_error"] = runner.verdict.most;
  }
  if (runner.question == BENCH_DEPTH) counters["bad_normals"] = static_cast<double>(total.normal);
  for (int i = 0; nasty && i < BENCH_CATEGORIES; i++) {
    const bench_errors &e = runner.verdict.category[i];
    counters["wrong_" + std::to_string(i)] = static_cast<double>(e.side);
    counters["off_" + std::to_string(i)] = static_cast<double>(e.value);
  }
}

/* Is `name` one of the words of a list with commas? Without a list, yes. */
bool is_chosen(const char *list, const char *name) {
  return !list || ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

void add(const Choice &choice, const bench_workload *workload, Runner runner) {
  runner.asked = runner.pairs.size();
  runner.verdict = bench_judge(workload, runner.contestant, runner.scene, runner.question, runner.pairs.data(),
                               runner.asked, choice.list);
  const double most = std::ceil(choice.longest * 1e9 / runner.verdict.ns);
  if (most < static_cast<double>(runner.asked)) runner.pairs.resize(static_cast<size_t>(most));
  const std::string question = bench_question_names[runner.question];
  const std::string name = std::string(workload->name) + "/" + question + "/" + runner.contestant->name;
  const bool nasty = std::strcmp(workload->name, "nasty") == 0;
  auto shared = std::make_shared<Runner>(std::move(runner));
  benchmark::RegisterBenchmark(name.c_str(), [shared, nasty](benchmark::State &state) {
    for (auto unused : state) benchmark::DoNotOptimize(bench_pass(*shared));
    tell(state, *shared, nasty);
  })->Iterations(1);
}

void add_contestant(const Choice &choice, const bench_workload *workload, const bench_contestant *contestant) {
  void *scene = nullptr; /* lives until the program ends */
  for (int q = 0; q < BENCH_QUESTIONS; q++) {
    const bench_question question = static_cast<bench_question>(q);
    if (!contestant->calls[q] || !is_chosen(choice.questions, bench_question_names[q])) continue;
    Runner runner{contestant, question, nullptr, {}, 0, 0, {}};
    for (size_t i = 0; i < workload->pair_count; i++) {
      if (!bench_asked(workload, i, question)) continue;
      runner.pairs.push_back(static_cast<uint32_t>(i));
      runner.unknown += std::isnan((question == BENCH_CAST ? workload->contact : workload->truth)[i]);
    }
    if (runner.pairs.empty()) continue;
    if (!scene) scene = contestant->prepare(workload);
    runner.scene = scene;
    add(choice, workload, std::move(runner));
  }
}

/* False: these are not options. */
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
    else if (word == "--questions")
      choice.questions = value;
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
    std::fprintf(stderr, "usage: bench [--only NAME,...] [--questions NAME,...] [--pairs COUNT] [--longest SECONDS]\n"
                         "             [--list COUNT] [--benchmark_...] FOLDER CELL\n");
    return 2;
  }
  bench_workload *workload = bench_load(choice.folder, choice.cell);
  workload->pair_count = std::min(workload->pair_count, choice.pairs);
  bench_find_truth(workload);
  for (const bench_contestant *const *contestant = bench_contestants; *contestant; contestant++) {
    if (is_chosen(choice.only, (*contestant)->name) && (*contestant)->fits(workload))
      add_contestant(choice, workload, *contestant);
  }
  for (int q = 0; q < BENCH_QUESTIONS; q++)
    benchmark::AddCustomContext(std::string("truth of ") + bench_question_names[q],
                                bench_truth_source(workload, static_cast<bench_question>(q)));
  benchmark::RunSpecifiedBenchmarks();
  std::fflush(nullptr);
  std::_Exit(0); /* FCL and Coal may each bring a version of octomap; at exit both would destroy the same globals */
}
