// Arrays of pairs: tables of shapes and batches. graze/_arrays.py and graze/_inputs.py prepare the arguments.
#include "shapes.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <graze/batch.h>

#include <cmath>

namespace {
using Indices = nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vectors = nb::ndarray<double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// The shapes of a table, and the memory that they refer to.
struct Table {
  std::vector<Shape> shapes;
  std::unique_ptr<char[]> memory;
  const graze_table *table;
  bool calls_python;
};

struct Side {
  const Table *table;
  std::optional<Indices> shape_index;
  Rows poses;
  std::optional<Indices> pose_index;
  std::optional<Rows> velocities;
};

struct Outputs {
  std::optional<Bytes> relation, outcome;
  std::optional<Doubles> distance, lower, upper, t_lower, t_upper;
  std::optional<Vectors> normal, point_a, point_b;
};

struct BatchOptions {
  double clearance;
  std::optional<Numbers> clearances;
  double max_distance, t_max;
  int threads;
};

enum BatchKind { INTERSECT, DISTANCE, CAST };

int visit_objects(const Table &table, visitproc visit, void *arg) {
  for (const Shape &shape : table.shapes) Py_VISIT(shape.memory.objects.ptr());
  return 0;
}
} // namespace

static void new_table(Table *self, nb::sequence shapes) {
  std::vector<graze_shape> list;
  Table table = {{}, {}, nullptr, false};
  for (nb::handle item : shapes) {
    Shape *shape;
    if (!nb::try_cast(item, shape) || !shape) reject("shapes[" + std::to_string(list.size()) + "]", item, "a Shape");
    list.push_back(shape->shape);
    table.shapes.push_back(*shape);
    table.calls_python = table.calls_python || calls_python(*shape);
  }
  if (list.empty()) raise(GRAZE_BAD_OPTION, "Shapes: no shapes, must be at least one", "shapes");
  const size_t size = graze_table_size(list.data(), list.size());
  table.memory.reset(new char[size]);
  graze_error error = {};
  const graze_status status =
      graze_table_make(list.data(), list.size(), table.memory.get(), size, &table.table, &error);
  finish_callbacks();
  check(status, "Shapes", &error, "shapes.");
  new (self) Table(std::move(table));
}

static Shape table_shape(const Table &table, size_t index) { return table.shapes.at(index); }

// ---- Batches

static size_t row_stride(const Rows &rows) { return (size_t)rows.stride(0) * sizeof(double); }

static graze_batch_side side_of(const Side &from) {
  graze_batch_side side = {};
  side.table = from.table->table;
  if (from.shape_index) side.shape_index = from.shape_index->data();
  side.poses = reinterpret_cast<const graze_pose *>(from.poses.data());
  side.pose_count = from.poses.shape(0);
  side.pose_stride = row_stride(from.poses);
  if (from.pose_index) side.pose_index = from.pose_index->data();
  if (!from.velocities) return side;
  side.velocities = reinterpret_cast<const graze_vec *>(from.velocities->data());
  side.velocity_stride = row_stride(*from.velocities);
  return side;
}

template <typename Array> static auto *data_of(const std::optional<Array> &array) {
  return array ? array->data() : nullptr;
}

static graze_vec *vectors_of(const std::optional<Vectors> &array) {
  return reinterpret_cast<graze_vec *>(data_of(array));
}

static graze_batch_answers answers_of(const Outputs &outputs) {
  graze_batch_answers answers = {};
  answers.relation = data_of(outputs.relation);
  answers.outcome = data_of(outputs.outcome);
  answers.distance = data_of(outputs.distance);
  answers.lower = data_of(outputs.lower);
  answers.upper = data_of(outputs.upper);
  answers.t_lower = data_of(outputs.t_lower);
  answers.t_upper = data_of(outputs.t_upper);
  answers.normal = vectors_of(outputs.normal);
  answers.point_a = vectors_of(outputs.point_a);
  answers.point_b = vectors_of(outputs.point_b);
  return answers;
}

// The lengths that graze/_arrays.py guarantees: a wrong one would be an access outside of an array.
static void require_lengths(size_t count, const Side &side) {
  const auto wrong = [count](const std::optional<Indices> &index) { return index && index->size() != count; };
  const Rows &p = side.poses;
  const bool poses = p.shape(1) == 7 && p.stride(1) == 1 && p.stride(0) >= 7 && p.shape(0) > 0;
  const bool velocities =
      !side.velocities || (side.velocities->shape(1) == 3 && side.velocities->stride(1) == 1 &&
                           side.velocities->stride(0) >= 3 && side.velocities->shape(0) == p.shape(0));
  if (wrong(side.shape_index) || wrong(side.pose_index) || !poses || !velocities)
    throw nb::value_error("the arrays of a batch do not fit together");
}

template <typename... Arrays> static void require_sizes(size_t count, const Arrays &...arrays) {
  const bool good = ((!arrays || arrays->shape(0) == count) && ...);
  if (!good) throw nb::value_error("the arrays of a batch do not fit together");
}

// The argument of a name of graze_error: "a.position" is one of poses_a.
static std::string argument_of(const std::string &what) {
  const char *const of_shapes = what[0] == 'a' ? "a" : "b";
  const auto ends = [&what](const char *word) { return what.find(word) != std::string::npos; };
  if (ends(".position") || ends(".rotation")) return std::string("poses_") + of_shapes;
  if (ends(".velocity")) return std::string("velocities_") + of_shapes;
  if (what == "clearances") return "clearance";
  return what;
}

[[noreturn]] static void raise_pair(graze_status status, const char *name, const graze_error &error) {
  const std::string what = error.what, argument = argument_of(what);
  std::string text = std::string(name) + ": " + argument;
  if (argument != what && what != "clearances") text += ": " + what.substr(2);
  if (error.index >= 0) text += " of pair " + std::to_string(error.index);
  if (status == GRAZE_UNSUPPORTED)
    text += std::string(": ") + graze_status_text(status);
  else
    text += " = " + number_text(error.value);
  if (status != GRAZE_UNSUPPORTED && error.allowed && *error.allowed)
    text.append(" (").append(error.allowed).append(")");
  raise(status, text, argument, error.index, error.value);
}

static nb::tuple run_batch(int kind, size_t count, const Side &a, const Side &b, const BatchOptions &options,
                           const Outputs &outputs) {
  static const char *const names[] = {"intersect", "distance", "cast"};
  require_lengths(count, a);
  require_lengths(count, b);
  const Outputs &o = outputs;
  require_sizes(count, options.clearances, o.relation, o.outcome, o.distance, o.lower, o.upper, o.t_lower, o.t_upper,
                o.normal, o.point_a, o.point_b);
  graze_batch batch = graze_default_batch();
  batch.a = side_of(a);
  batch.b = side_of(b);
  batch.count = count;
  batch.clearance = options.clearance;
  if (options.clearances) batch.clearances = options.clearances->data();
  batch.max_distance = options.max_distance;
  batch.t_max = options.t_max;
  const graze_batch_answers answers = answers_of(outputs);
  const bool alone = options.threads == 1 || a.table->calls_python || b.table->calls_python;
  graze_batch_counts counts = {};
  graze_error error = {};
  graze_status status, pool_status = GRAZE_OK;
  {
    nb::gil_scoped_release release;
    graze_pool *pool = nullptr;
    graze_parallel parallel;
    std::unique_ptr<char[]> scratch;
    if (!alone) pool_status = graze_pool_create(options.threads, nullptr, &pool);
    if (pool) {
      parallel = graze_pool_parallel(pool);
      batch.parallel = &parallel;
      batch.scratch_size = graze_batch_scratch_size(count);
      scratch.reset(new char[batch.scratch_size]);
      batch.scratch = scratch.get();
    }
    const auto query = kind == INTERSECT  ? graze_batch_intersect
                       : kind == DISTANCE ? graze_batch_distance
                                          : graze_batch_cast;
    status = pool_status == GRAZE_OK ? query(&batch, &answers, &counts, &error) : GRAZE_OK;
    graze_pool_destroy(pool);
  }
  finish_callbacks();
  if (pool_status == GRAZE_BAD_OPTION)
    raise(pool_status,
          std::string(names[kind]) + ": threads = " + std::to_string(options.threads) + " (must be 1 to 256)",
          "threads", -1, options.threads);
  check(pool_status, names[kind]);
  if (status != GRAZE_OK) raise_pair(status, names[kind], error);
  return nb::make_tuple(counts.by_simd, counts.one_by_one, counts.exact);
}

// ---- Arrays of poses

static void poses_of_matrices(nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> matrices, int dim,
                              Doubles out, const std::string &argument) {
  const size_t width = dim == 2 ? 9 : 16;
  const auto name = [&](size_t i) {
    return matrices.shape(0) == 1 ? argument : argument + "[" + std::to_string(i) + "]";
  };
  if (matrices.shape(1) != width || out.size() != 7 * matrices.shape(0))
    throw nb::value_error("the arrays of poses do not fit together");
  for (size_t i = 0; i < matrices.shape(0); i++) {
    const graze_pose pose = pose_of_matrix(matrices.data() + width * i, dim, name(i));
    const double values[7] = {pose.position.x, pose.position.y, pose.position.z, pose.w, pose.x, pose.y, pose.z};
    for (int k = 0; k < 7; k++) out.data()[7 * i + (size_t)k] = values[k];
  }
}

static void half_angles(Numbers angles, Doubles out) {
  if (out.size() != 2 * angles.size()) throw nb::value_error("the arrays of angles do not fit together");
  for (size_t i = 0; i < angles.size(); i++)
    graze_half_angle(angles.data()[i], &out.data()[2 * i], &out.data()[2 * i + 1]);
}

void bind_arrays(Module &m) {
  Class<Table>(m, "_Table", nb::type_slots(collected<Table>))
      .def("__init__", &new_table, "shapes"_a,
           nb::sig("def __init__(self, shapes: collections.abc.Sequence[Shape]) -> None"))
      .def("__len__", [](const Table &t) { return t.shapes.size(); })
      .def_prop_ro("dim", [](const Table &t) { return t.shapes[0].shape.dim; })
      .def("shape", &table_shape, "index"_a);
  m.def(
      "_batch",
      [](int kind, size_t count, const Table &table_a, std::optional<Indices> shapes_a, Rows poses_a,
         std::optional<Indices> index_a, std::optional<Rows> velocities_a, const Table &table_b,
         std::optional<Indices> shapes_b, Rows poses_b, std::optional<Indices> index_b,
         std::optional<Rows> velocities_b, double clearance, std::optional<Numbers> clearances, double max_distance,
         double t_max, int threads, std::optional<Bytes> relation, std::optional<Bytes> outcome,
         std::optional<Doubles> distance, std::optional<Doubles> lower, std::optional<Doubles> upper,
         std::optional<Doubles> t_lower, std::optional<Doubles> t_upper, std::optional<Vectors> normal,
         std::optional<Vectors> point_a, std::optional<Vectors> point_b) {
        return run_batch(kind, count, {&table_a, shapes_a, poses_a, index_a, velocities_a},
                         {&table_b, shapes_b, poses_b, index_b, velocities_b},
                         {clearance, clearances, max_distance, t_max, threads},
                         {relation, outcome, distance, lower, upper, t_lower, t_upper, normal, point_a, point_b});
      },
      "kind"_a, "count"_a, "table_a"_a, "shapes_a"_a.none(), "poses_a"_a.noconvert(), "index_a"_a.none(),
      "velocities_a"_a.none(), "table_b"_a, "shapes_b"_a.none(), "poses_b"_a.noconvert(), "index_b"_a.none(),
      "velocities_b"_a.none(), "clearance"_a, "clearances"_a.none(), "max_distance"_a, "t_max"_a, "threads"_a,
      "relation"_a.none(), "outcome"_a.none(), "distance"_a.none(), "lower"_a.none(), "upper"_a.none(),
      "t_lower"_a.none(), "t_upper"_a.none(), "normal"_a.none(), "point_a"_a.none(), "point_b"_a.none(),
      nb::sig("def _batch(*arguments: typing.Any) -> tuple[int, int, int]"));
  m.def("_poses_of_matrices", &poses_of_matrices,
        nb::sig("def _poses_of_matrices(matrices: typing.Any, dim: int, out: typing.Any, "
                "argument: str) -> None"));
  m.def("_half_angles", &half_angles, nb::sig("def _half_angles(angles: typing.Any, out: typing.Any) -> None"));
}
