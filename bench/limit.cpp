/* The limit of the machine: minimal loops over arrays in an ideal layout, at the full SIMD width. With Google
 * Benchmark; the time of a pair is the time of an iteration divided by the counter `pairs`.
 *
 *   limit FOLDER [--benchmark_…]
 *
 * Boxes are those of workload w1: 15 axes (Gottschalk 1996), including the conversion of quaternions to matrices.
 * Bounds are axis-aligned boxes. `wrong` counts pairs on the wrong side. Support: the farthest of n points, in
 * independent calls, and in calls of which each depends on the previous one. */
#include "errors.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/* A million: larger than the caches. */
constexpr size_t SMALL = 4096, LARGE = size_t{1} << 20;

uint64_t state = 1;
double uniform() { /* splitmix64 */
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/* ---- Oriented boxes */

/* Columns: half extents and quaternion of both, and the offset from A to B. */
enum { HALF_A, TURN_A = 3, HALF_B = 7, TURN_B = 10, OFFSET = 14, COLUMNS = 17 };

/* The numbers of the widest register; narrower machines process them in parts. */
constexpr size_t BYTES = 64;
typedef float Floats __attribute__((vector_size(BYTES)));
typedef double Doubles __attribute__((vector_size(BYTES)));

template <class V, class T> struct Boxes {
  static constexpr size_t width = BYTES / sizeof(T);
  std::vector<V> column[COLUMNS];
  std::vector<V> gap; /* the largest gap along any axis, not to scale: only its sign matters */

  Boxes(const bench_workload *workload, size_t count) : gap(count / width) {
    for (auto &c : column) c.resize(count / width);
    for (size_t i = 0; i < count; i++) {
      const bench_pair &pair = workload->pairs[i];
      for (size_t k = 0; k < 4; k++) {
        set(TURN_A + k, i, pair.body[0].rotation[k]);
        set(TURN_B + k, i, pair.body[1].rotation[k]);
      }
      for (size_t k = 0; k < 3; k++) {
        set(HALF_A + k, i, pair.size[0][k]);
        set(HALF_B + k, i, pair.size[1][k]);
        set(OFFSET + k, i, pair.body[1].position[k] - pair.body[0].position[k]);
      }
    }
  }
  void set(size_t c, size_t i, double value) { column[c][i / width][i % width] = static_cast<T>(value); }
};

template <class V> inline void matrix(V x, V y, V z, V w, V m[3][3]) {
  m[0][0] = 1 - 2 * (y * y + z * z), m[0][1] = 2 * (x * y - w * z), m[0][2] = 2 * (x * z + w * y);
  m[1][0] = 2 * (x * y + w * z), m[1][1] = 1 - 2 * (x * x + z * z), m[1][2] = 2 * (y * z - w * x);
  m[2][0] = 2 * (x * z - w * y), m[2][1] = 2 * (y * z + w * x), m[2][2] = 1 - 2 * (x * x + y * y);
}

template <class V> inline V larger(V a, V b) { return a > b ? a : b; }
template <class V> inline V size(V a) { return larger(a, -a); }

/* The largest gap along 15 axes; a, b: half extents. */
template <class V> inline V gap(const V a[3], const V b[3], const V ma[3][3], const V mb[3][3], const V offset[3]) {
  V r[3][3], m[3][3], t[3], most = V{} - 1;
  for (int i = 0; i < 3; i++) {
    t[i] = ma[0][i] * offset[0] + ma[1][i] * offset[1] + ma[2][i] * offset[2];
    for (int k = 0; k < 3; k++) {
      r[i][k] = ma[0][i] * mb[0][k] + ma[1][i] * mb[1][k] + ma[2][i] * mb[2][k];
      m[i][k] = size(r[i][k]);
    }
  }
  for (int i = 0; i < 3; i++) {
    most = larger(most, size(t[i]) - (a[i] + b[0] * m[i][0] + b[1] * m[i][1] + b[2] * m[i][2]));
    most = larger(most, size(t[0] * r[0][i] + t[1] * r[1][i] + t[2] * r[2][i]) -
                            (b[i] + a[0] * m[0][i] + a[1] * m[1][i] + a[2] * m[2][i]));
  }
  for (int i = 0; i < 3; i++) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int k = 0; k < 3; k++) {
      const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      const V extents = a[i1] * m[i2][k] + a[i2] * m[i1][k] + b[k1] * m[i][k2] + b[k2] * m[i][k1];
      most = larger(most, size(t[i2] * r[i1][k] - t[i1] * r[i2][k]) - extents);
    }
  }
  return most;
}

template <class V, class T> __attribute__((noinline)) void part(Boxes<V, T> &boxes) {
  const V *c[COLUMNS];
  for (int k = 0; k < COLUMNS; k++) c[k] = boxes.column[k].data();
  V *out = boxes.gap.data();
  const size_t blocks = boxes.gap.size();
  for (size_t i = 0; i < blocks; i++) {
    const V a[3] = {c[0][i], c[1][i], c[2][i]}, b[3] = {c[7][i], c[8][i], c[9][i]};
    const V offset[3] = {c[14][i], c[15][i], c[16][i]};
    V ma[3][3], mb[3][3];
    matrix(c[3][i], c[4][i], c[5][i], c[6][i], ma);
    matrix(c[10][i], c[11][i], c[12][i], c[13][i], mb);
    out[i] = gap(a, b, ma, mb, offset);
  }
}

template <class V, class T> void run_boxes(benchmark::State &run, const bench_workload *workload, size_t count) {
  Boxes<V, T> boxes(workload, count);
  size_t wrong = 0;
  for (auto unused : run) {
    part(boxes);
    benchmark::ClobberMemory();
  }
  for (size_t i = 0; i < count; i++) {
    const double truth = workload->truth[i], gap = boxes.gap[i / boxes.width][i % boxes.width];
    wrong += std::fabs(truth) > BENCH_ERROR && (gap > 0) != (truth > 0);
  }
  run.counters["pairs"] = static_cast<double>(count);
  run.counters["wrong"] = static_cast<double>(wrong);
}

/* ---- Bounds: low and high corners in six columns each */

struct Bounds {
  std::vector<float> low[3], high[3];
  explicit Bounds(size_t count) {
    for (int k = 0; k < 3; k++) {
      for (size_t i = 0; i < count; i++) {
        const float at = static_cast<float>(3 * uniform()), half = static_cast<float>(0.6 + 0.4 * uniform());
        low[k].push_back(at - half), high[k].push_back(at + half);
      }
    }
  }
};

__attribute__((noinline)) void overlap(const Bounds &a, const Bounds &b, unsigned char *out, size_t count) {
  const float *al0 = a.low[0].data(), *al1 = a.low[1].data(), *al2 = a.low[2].data();
  const float *ah0 = a.high[0].data(), *ah1 = a.high[1].data(), *ah2 = a.high[2].data();
  const float *bl0 = b.low[0].data(), *bl1 = b.low[1].data(), *bl2 = b.low[2].data();
  const float *bh0 = b.high[0].data(), *bh1 = b.high[1].data(), *bh2 = b.high[2].data();
#pragma omp simd
  for (size_t i = 0; i < count; i++) {
    out[i] = (al0[i] <= bh0[i]) & (bl0[i] <= ah0[i]) & (al1[i] <= bh1[i]) & (bl1[i] <= ah1[i]) & (al2[i] <= bh2[i]) &
             (bl2[i] <= ah2[i]);
  }
}

__attribute__((noinline)) void overlap_one(const float low[3], const float high[3], const Bounds &b, unsigned char *out,
                                           size_t count) {
  const float *bl0 = b.low[0].data(), *bl1 = b.low[1].data(), *bl2 = b.low[2].data();
  const float *bh0 = b.high[0].data(), *bh1 = b.high[1].data(), *bh2 = b.high[2].data();
  const float l0 = low[0], l1 = low[1], l2 = low[2], h0 = high[0], h1 = high[1], h2 = high[2];
#pragma omp simd
  for (size_t i = 0; i < count; i++)
    out[i] = (l0 <= bh0[i]) & (bl0[i] <= h0) & (l1 <= bh1[i]) & (bl1[i] <= h1) & (l2 <= bh2[i]) & (bl2[i] <= h2);
}

void run_bounds(benchmark::State &run, size_t count, bool one) {
  const Bounds a(one ? 1 : count), b(count);
  const float low[3] = {a.low[0][0], a.low[1][0], a.low[2][0]}, high[3] = {a.high[0][0], a.high[1][0], a.high[2][0]};
  std::vector<unsigned char> out(count);
  for (auto unused : run) {
    if (one)
      overlap_one(low, high, b, out.data(), count);
    else
      overlap(a, b, out.data(), count);
    benchmark::ClobberMemory();
  }
  run.counters["pairs"] = static_cast<double>(count);
}

/* ---- Support */

constexpr size_t WIDTH = BYTES / sizeof(double), CALLS = 64;
static_assert(WIDTH == 8, "the shuffles below halve eight elements");
typedef int64_t Places __attribute__((vector_size(BYTES)));

struct Cloud {
  std::vector<Doubles> x, y, z;
};

struct Best {
  Doubles value;
  Places place;
  void update(Doubles other, Places there) {
    const auto more = other > value;
    value = more ? other : value;
    place = more ? there : place;
  }
};

/* Two interleaved searches, because each is a dependency chain. */
inline int64_t farthest(const Cloud &cloud, const double d[3]) {
  const size_t blocks = cloud.x.size();
  const auto product = [&](size_t i) { return cloud.x[i] * d[0] + cloud.y[i] * d[1] + cloud.z[i] * d[2]; };
  Places here = {0, 1, 2, 3, 4, 5, 6, 7};
  Best even = {product(0), here}, odd = even;
  for (size_t i = 1; i + 1 < blocks; i += 2) {
    odd.update(product(i), here += 8);
    even.update(product(i + 1), here += 8);
  }
  if (blocks % 2 == 0) odd.update(product(blocks - 1), here + 8);
  even.update(odd.value, odd.place);
  even.update(__builtin_shufflevector(even.value, even.value, 4, 5, 6, 7, 0, 1, 2, 3),
              __builtin_shufflevector(even.place, even.place, 4, 5, 6, 7, 0, 1, 2, 3));
  even.update(__builtin_shufflevector(even.value, even.value, 2, 3, 0, 1, 2, 3, 0, 1),
              __builtin_shufflevector(even.place, even.place, 2, 3, 0, 1, 2, 3, 0, 1));
  return even.value[1] > even.value[0] ? even.place[1] : even.place[0];
}

/* `chain`: the direction depends on the previous call. */
__attribute__((noinline)) int64_t search(const Cloud &cloud, const std::vector<double> &directions, bool chain) {
  int64_t sum = 0;
  for (size_t i = 0; i < CALLS; i++) {
    const double *d = &directions[3 * i], wait = chain ? static_cast<double>(sum) * 1e-300 : 0;
    const double from[3] = {d[0] + wait, d[1], d[2]};
    sum += farthest(cloud, from);
  }
  return sum;
}

int64_t search_plainly(const Cloud &cloud, const std::vector<double> &directions) {
  int64_t sum = 0;
  for (size_t i = 0; i < CALLS; i++) {
    double best = -HUGE_VAL;
    size_t at = 0;
    for (size_t k = 0; k < WIDTH * cloud.x.size(); k++) {
      const double *d = &directions[3 * i], x = cloud.x[k / WIDTH][k % WIDTH], y = cloud.y[k / WIDTH][k % WIDTH];
      const double value = x * d[0] + y * d[1] + cloud.z[k / WIDTH][k % WIDTH] * d[2];
      if (value > best) best = value, at = k;
    }
    sum += static_cast<int64_t>(at);
  }
  return sum;
}

void run_support(benchmark::State &run, size_t count, bool chain) {
  Cloud cloud;
  std::vector<double> directions;
  for (auto *column : {&cloud.x, &cloud.y, &cloud.z}) {
    column->resize(count / WIDTH);
    for (Doubles &doubles : *column)
      for (size_t i = 0; i < WIDTH; i++) doubles[i] = uniform();
  }
  for (size_t i = 0; i < 3 * CALLS; i++) directions.push_back(uniform());
  for (auto unused : run) {
    benchmark::DoNotOptimize(search(cloud, directions, chain));
    benchmark::ClobberMemory();
  }
  run.counters["pairs"] = static_cast<double>(CALLS);
  run.counters["wrong"] = search(cloud, directions, chain) != search_plainly(cloud, directions);
}

template <class Run> void add(const std::string &cell, Run run) {
  benchmark::RegisterBenchmark(("limit/" + cell + "/loop").c_str(), run);
}

void add_all(const bench_workload *workload) {
  for (size_t count : {std::min(SMALL, workload->pair_count), workload->pair_count / 16 * 16}) {
    const std::string tail = ", " + std::to_string(count);
    add("boxes, float" + tail, [=](benchmark::State &run) { run_boxes<Floats, float>(run, workload, count); });
    add("boxes, double" + tail, [=](benchmark::State &run) { run_boxes<Doubles, double>(run, workload, count); });
  }
  for (size_t count : {SMALL, LARGE}) {
    const std::string tail = ", " + std::to_string(count);
    add("bounds, float" + tail, [=](benchmark::State &run) { run_bounds(run, count, false); });
    add("one against many bounds, float" + tail, [=](benchmark::State &run) { run_bounds(run, count, true); });
  }
  for (size_t count = WIDTH; count <= 1024; count *= 2) {
    const std::string tail = " of " + std::to_string(count) + ", double";
    add("farthest" + tail, [=](benchmark::State &run) { run_support(run, count, false); });
    add("farthest in a chain" + tail, [=](benchmark::State &run) { run_support(run, count, true); });
  }
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: limit FOLDER [--benchmark_...]\n");
    return 2;
  }
  bench_workload *workload = bench_load(argv[1], "w1");
  bench_compute_truth(workload);
  add_all(workload);
  benchmark::RunSpecifiedBenchmarks();
  bench_free(workload);
}
