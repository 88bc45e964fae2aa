// Placed shapes: poses, bounds, support points, projections, parts.
#include "shapes.hpp"

static Placed place(const Shape &shape, PoseLike pose) {
  Placed placed = {graze_place(&shape.shape, read_pose(pose.value, "pose", shape.shape.dim)), shape.memory};
  finish_callbacks();
  if (placed.placed.status != GRAZE_OK) {
    graze_error error = {};
    check(graze_check(&placed.placed.shape, &placed.placed.pose, &error), "place", &error);
    raise(placed.placed.status,
          "place: shape: the results of its support function are not numbers of magnitude <= 1e40", "shape");
  }
  return placed;
}

static Placed with_pose(const Placed &placed, PoseLike pose) {
  Placed moved = placed;
  const graze_pose to = read_pose(pose.value, "pose", placed.placed.shape.dim);
  const graze_status status = graze_set_pose(&moved.placed, to);
  graze_error error = {};
  if (status == GRAZE_UNSUPPORTED) raise(status, "with_pose: a part of a compound cannot be moved");
  if (status != GRAZE_OK) graze_check(&placed.placed.shape, &to, &error);
  check(status, "with_pose", &error);
  return moved;
}

static nb::tuple bounds(const Placed &placed) {
  graze_aabb box;
  const graze_status status = graze_bounds(&placed.placed, &box);
  finish_callbacks();
  if (status == GRAZE_UNSUPPORTED) raise(status, "bounds: a half-space has no bounds", "placed");
  check(status, "bounds");
  const int dim = placed.placed.shape.dim;
  return nb::make_tuple(vector(box.min, dim), vector(box.max, dim));
}

// graze_support() and graze_project() have the same errors.
static void check_direction(graze_status status, const char *function, const char *argument, graze_vec direction,
                            int dim) {
  finish_callbacks();
  if (status == GRAZE_UNSUPPORTED) raise(status, std::string(function) + ": not defined for a half-space", "placed");
  if (status == GRAZE_BAD_NUMBER)
    raise(status,
          std::string(function) + ": " + argument + " = " + nb::repr(nb::cast(vector(direction, dim))).c_str() +
              " (must be finite and not zero)",
          argument);
  check(status, function);
}

static nb::tuple support(const Placed &placed, VectorLike direction) {
  const int dim = placed.placed.shape.dim;
  graze_vec point;
  int vertex;
  const graze_vec d = read_vector(direction.value, "direction", dim);
  check_direction(graze_support(&placed.placed, d, &point, &vertex), "support", "direction", d, dim);
  return nb::make_tuple(vector(point, dim), vertex < 0 ? nb::object(nb::none()) : nb::object(nb::int_(vertex)));
}

static std::pair<double, double> project(const Placed &placed, VectorLike axis) {
  graze_interval interval;
  const int dim = placed.placed.shape.dim;
  const graze_vec d = read_vector(axis.value, "axis", dim);
  check_direction(graze_project(&placed.placed, d, &interval), "project", "axis", d, dim);
  return {interval.min, interval.max};
}

// The vertices of a part belong to the whole, so its shape also keeps that. A support function does not need the whole.
static Shape shape_of(const Placed &placed) {
  using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  const graze_shape &shape = placed.placed.shape;
  if (!placed.frame.data || shape.kind == GRAZE_USER) return {shape, placed.memory};
  return {shape, Memory(std::make_shared<Both>(placed.memory.data, placed.frame.data), placed.frame.objects)};
}

namespace {
struct PartMemory {
  std::shared_ptr<const void> whole, before;
  graze_frame frame;
};
} // namespace

Placed part_of(const Placed &placed, Py_ssize_t index) {
  const Py_ssize_t count = (Py_ssize_t)graze_part_count(&placed.placed);
  if (index < 0 || index >= count)
    raise(GRAZE_BAD_OPTION,
          "part: index = " + std::to_string(index) + " (must be >= 0 and < " + std::to_string(count) + ")", "index", -1,
          (double)index);
  auto memory = std::make_shared<PartMemory>(PartMemory{placed.memory.data, placed.frame.data, {}});
  const graze_placed found = graze_part(&placed.placed, (size_t)index, &memory->frame);
  check(found.status, "part");
  const bool compound = placed.placed.shape.kind == GRAZE_COMPOUND;
  const auto or_none = [](const nb::object &object) { return object.is_valid() ? object : nb::none(); };
  return {found, compound ? part_of_compound(placed.memory, (size_t)index).memory : placed.memory,
          Memory(memory, nb::make_tuple(or_none(placed.memory.objects), or_none(placed.frame.objects)))};
}

void bind_placed(Module &m) {
  Class<Placed>(m, "Placed", nb::type_slots(collected<Placed>),
                R"(A shape at its pose, prepared for any number of queries. Immutable.

>>> import graze
>>> graze.place(graze.sphere(1), (3, 0, 0))
place(sphere(1.0), Pose((3.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))))")
      .def_prop_ro("shape", &shape_of, "The shape, in its own frame.")
      .def_prop_ro(
          "pose",
          [](const Placed &p) {
            return Pose{p.placed.pose, p.placed.shape.dim};
          },
          "The pose of the shape in the world.")
      .def_prop_ro(
          "dim", [](const Placed &p) { return p.placed.shape.dim; }, "2 or 3.")
      .def_prop_ro(
          "part_count", [](const Placed &p) { return graze_part_count(&p.placed); },
          "The number of parts of a compound, or of faces of a mesh; 1 for a convex shape.")
      .def("with_pose", &with_pose, "pose"_a,
           "Returns the same shape at another pose, in constant time for any number of vertices.")
      .def(
          "__eq__",
          [](nb::handle a, nb::handle b) -> nb::object {
            if (!b.type().is(a.type())) return nb::borrow(Py_NotImplemented);
            const bool equal = a.attr("pose").equal(b.attr("pose")) && a.attr("shape").equal(b.attr("shape"));
            return nb::bool_(equal);
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](nb::handle_t<Placed> p) { return nb::hash(nb::make_tuple(p.attr("shape"), p.attr("pose"))); })
      .def("__repr__",
           [](nb::handle_t<Placed> p) {
             return std::string("place(") + nb::repr(p.attr("shape")).c_str() + ", " +
                    nb::repr(p.attr("pose")).c_str() + ")";
           })
      .def(
          "__reduce__",
          [](nb::handle_t<Placed> p) {
            if (nb::cast<const Placed &>(p).frame.data)
              throw nb::type_error("a part of a compound or mesh cannot be pickled");
            return reduced("_restore_placed", p.attr("shape"), p.attr("pose"));
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  m.def("place", &place, "shape"_a, "pose"_a.none() = nb::none(),
        nb::sig("def place(shape: Shape, pose: graze.typing.PoseLike | None = None) -> Placed"),
        R"(Places a shape. The pose is a rigid motion x -> R x + position from the local frame to the world.

pose is None, the identity, or one of these forms, as numbers, sequences or arrays:

    3D  a Pose
        (x, y, z)                       a position
        (x, y, z, w, x, y, z)           a position and a quaternion
        ((x, y, z), (w, x, y, z))       the same as a pair
        ((x, y, z), R)                  a position and a rotation matrix, shape (3, 3)
        M                               a homogeneous matrix, shape (4, 4), with the last row (0, 0, 0, 1)
    2D  a Pose
        (x, y)                          a position
        (x, y, angle)                   a position and an angle
        (x, y, w, z)                    a position and a half-angle pair: cos(angle/2), sin(angle/2)
        ((x, y), angle or (w, z))       the same as a pair
        ((x, y), R)                     a position and a rotation matrix, shape (2, 2)
        M                               a homogeneous matrix, shape (3, 3), with the last row (0, 0, 1)

Positions are in the unit of the shape. Angles are in radians, counter-clockwise. Quaternions have w first; they and
half-angle pairs have any nonzero length. Matrices are by rows and multiply column vectors. R must be orthonormal within
1e-6, without reflection; its quaternion is rounded.

>>> import graze
>>> graze.place(graze.box(1, 1), (4, 5, 0.0)).pose.position
(4.0, 5.0)
>>> graze.place(graze.box(1, 1), ((4, 5), [[0, -1], [1, 0]])).pose.apply((1, 0))
(4.0, 6.0))");
  define_restore(m, "_restore_placed", "Placed", &place, "shape", "pose");
  m.def("bounds", &bounds, "placed"_a,
        nb::sig("def bounds(placed: Placed) -> tuple[tuple[float, ...], tuple[float, ...]]"),
        R"(Returns the corners (min, max) of an axis-aligned box that contains the shape.

>>> import graze
>>> graze.bounds(graze.place(graze.box(1, 2), (4, 5)))
((3.0, 3.0), (5.0, 7.0)))");
  m.def("support", &support, "placed"_a, "direction"_a,
        nb::sig(
            "def support(placed: Placed, direction: graze.typing.VectorLike) -> tuple[tuple[float, ...], int | None]"),
        R"(Returns the point that is farthest in a world direction, and the index of the core vertex.

The index is None for a curved shape. The point is rounded.)");
  m.def("project", &project, "placed"_a, "axis"_a,
        "Returns (min, max) of axis·x over the points x of a shape. The axis has any nonzero length. Rounded.");
  m.def("part", &part_of, "placed"_a, "index"_a,
        "Returns part `index` of a compound, or face `index` of a mesh, at its place in the world.");
}
