// The class Shape and its constructors, except meshes (meshes.cpp) and hulls with their faces (building.cpp).
#include "shapes.hpp"

#include <nanobind/stl/optional.h>

#include <cmath>

// ---- Memory of shapes

namespace {
using Points = std::vector<graze_vec>;

struct UserMemory {
  nb::handle function;
  int dim;
};
} // namespace

// `parts` are Placed. `source` is that of a decomposed polygon: its outline, holes and splitting.
static Shape compound_shape(const std::shared_ptr<graze_compound> &compound, nb::tuple parts, nb::tuple source) {
  return {graze_compound_shape(compound.get()), Memory(compound, nb::make_tuple(parts, source))};
}

static nb::tuple parts_of_memory(const Memory &compound) { return nb::borrow<nb::tuple>(compound.objects[0]); }
static nb::tuple source_of_memory(const Memory &compound) { return nb::borrow<nb::tuple>(compound.objects[1]); }

Shape make_shape(const graze_shape &shape, Memory memory, const char *constructor) {
  graze_error error = {};
  check(graze_check(&shape, nullptr, &error), constructor, &error);
  return {shape, std::move(memory)};
}

static Shape simple(const graze_shape &shape, const char *constructor) { return make_shape(shape, {}, constructor); }

// ---- Constructors

static Shape new_point() { return {graze_point(), {}}; }
static Shape new_point2() { return {graze_point2(), {}}; }

static Shape new_segment(VectorLike a, VectorLike b) {
  int dim;
  const graze_vec p = read_vector(a.value, "a", 0, &dim), q = read_vector(b.value, "b", dim);
  return simple(dim == 2 ? graze_segment2(p, q) : graze_segment(p, q), "segment");
}

static Shape new_triangle(VectorLike a, VectorLike b, VectorLike c) {
  int dim;
  const graze_vec p = read_vector(a.value, "a", 0, &dim), q = read_vector(b.value, "b", dim),
                  r = read_vector(c.value, "c", dim);
  return simple(dim == 2 ? graze_triangle2(p, q, r) : graze_triangle(p, q, r), "triangle");
}

static Shape new_box(double x, double y, std::optional<double> z) {
  return simple(z ? graze_box(x, y, *z) : graze_box2(x, y), "box");
}

static Shape new_halfspace(VectorLike normal, double offset) {
  int dim;
  const graze_vec n = read_vector(normal.value, "normal", 0, &dim);
  return simple(dim == 2 ? graze_halfspace2(n, offset) : graze_halfspace(n, offset), "halfspace");
}

static Shape new_polygon(PointsLike vertices) {
  int dim = 2;
  auto points = std::make_shared<Points>(read_points(vertices.value, "vertices", dim));
  return make_shape(graze_polygon(points->data(), points->size()), points, "polygon");
}

static Shape new_hull_points(PointsLike value) {
  int dim = 0;
  auto points = std::make_shared<Points>(read_points(value.value, "points", dim));
  return make_shape(dim == 2 ? graze_hull_points2(points->data(), points->size())
                             : graze_hull_points(points->data(), points->size()),
                    points, "hull_points");
}

Shape hull_shape(PointsLike value) {
  int dim = 0;
  const Points points = read_points(value.value, "points", dim);
  auto hull = make_hull(points, dim, "hull");
  return {graze_hull_shape(hull.get()), hull};
}

std::shared_ptr<graze_hull> make_hull(const std::vector<graze_vec> &points, int dim, const char *function) {
  const auto hull = owned<graze_hull, graze_hull_destroy>();
  graze_error error = {};
  graze_status status;
  {
    nb::gil_scoped_release release;
    status = graze_hull_create(points.data(), points.size(), dim, nullptr, hull.get(), &error);
  }
  check(status, function, &error);
  return hull;
}

static Shape new_compound(nb::sequence parts) {
  std::vector<graze_placed> placed;
  size_t index = 0;
  const nb::tuple members(parts);
  for (nb::handle part : members) {
    Placed *p;
    const std::string name = "parts[" + std::to_string(index++) + "]";
    if (!nb::try_cast(part, p) || !p) reject(name, part, "a placed shape");
    placed.push_back(p->placed);
  }
  graze_compound *made = nullptr;
  graze_error error = {};
  const graze_status status = graze_compound_create(placed.data(), placed.size(), nullptr, &made, &error);
  const std::shared_ptr<graze_compound> compound(made, graze_compound_destroy);
  finish_callbacks();
  check(status, "compound", &error);
  return compound_shape(compound, members, nb::make_tuple());
}

Shape decomposed_shape(graze_compound *compound, nb::tuple parts, nb::tuple source) {
  return compound_shape(std::shared_ptr<graze_compound>(compound, graze_compound_destroy), parts, source);
}

static double support_by_python(void *context, graze_vec direction, graze_vec *point) {
  const UserMemory *user = static_cast<UserMemory *>(context);
  nb::gil_scoped_acquire gil;
  const CallbackScope scope;
  try {
    nb::object result = user->function(vector(direction, user->dim));
    double bound = 0;
    nb::object at = result;
    nb::tuple pair;
    if (nb::try_cast(result, pair) && nb::len(pair) == 2 && PySequence_Check(nb::object(pair[0]).ptr())) {
      at = pair[0];
      if (!read_number(pair[1], bound) || !(bound >= 0))
        reject("the error of the support function", pair[1], "a number >= 0");
    }
    const char *const name = "the result of the support function";
    *point = read_vector(at, name, user->dim);
    if (!std::isfinite(point->x) || !std::isfinite(point->y) || !std::isfinite(point->z))
      raise(GRAZE_BAD_NUMBER, name + (": " + std::string(nb::repr(at).c_str())) + ", must be finite", "support");
    return bound;
  } catch (...) {
    callback_failed();
    return -1;
  }
}

static Shape new_user(int dim, nb::callable support) {
  if (dim != 2 && dim != 3) reject("dim", nb::int_(dim), "2 or 3");
  const auto user = std::make_shared<UserMemory>(UserMemory{support, dim});
  return make_shape(graze_user(dim, support_by_python, user.get()), Memory(user, support), "user");
}

bool calls_python(const Shape &shape) {
  if (shape.shape.kind != GRAZE_COMPOUND) return shape.shape.kind == GRAZE_USER;
  const graze_placed whole = graze_place(&shape.shape, graze_pose_identity());
  for (size_t i = 0; i < graze_part_count(&whole); i++) {
    graze_frame frame;
    if (graze_part(&whole, i, &frame).shape.kind == GRAZE_USER) return true;
  }
  return false;
}

// ---- Members

static bool is_about(const Shape &s, std::initializer_list<graze_shape_kind> kinds) {
  for (graze_shape_kind kind : kinds)
    if (s.shape.kind == kind) return true;
  return false;
}

static void require_kind(const Shape &s, std::initializer_list<graze_shape_kind> kinds, const char *member) {
  if (is_about(s, kinds)) return;
  throw nb::attribute_error((std::string("a ") + kind_text(s.shape.kind) + " has no " + member).c_str());
}

const char *kind_text(graze_shape_kind kind) {
  static const char *const texts[] = {"",          "point",  "segment",  "triangle",  "box",      "polygon",
                                      "hull",      "sphere", "capsule",  "ellipsoid", "cylinder", "cone",
                                      "halfspace", "user",   "compound", "mesh"};
  return texts[kind];
}

static double radius_of(const Shape &s) {
  require_kind(s, {GRAZE_SPHERE, GRAZE_CAPSULE, GRAZE_CYLINDER, GRAZE_CONE}, "radius");
  return s.shape.kind == GRAZE_SPHERE ? s.shape.as.sphere.radius : s.shape.as.capsule.radius;
}

static double half_length_of(const Shape &s) {
  require_kind(s, {GRAZE_CAPSULE, GRAZE_CYLINDER, GRAZE_CONE}, "half_length");
  return s.shape.as.capsule.half_length;
}

static nb::object vertices_of(const Shape &s) {
  if (s.shape.kind == GRAZE_MESH) {
    const graze_mesh_def faces = graze_mesh_faces(s.shape.as.mesh);
    return points_list(faces.vertices, faces.vertex_count, faces.dim);
  }
  if (graze_vertex_count(&s.shape) == 0) require_kind(s, {}, "vertices");
  nb::list list;
  for (size_t i = 0; i < graze_vertex_count(&s.shape); i++) list.append(vector(graze_vertex(&s.shape, i), s.shape.dim));
  return list;
}

static nb::tuple parts_of(const Shape &s) {
  require_kind(s, {GRAZE_COMPOUND}, "parts");
  return parts_of_memory(s.memory);
}

static nb::tuple outline_of(const Shape &s) {
  if (s.shape.kind != GRAZE_COMPOUND) return nb::make_tuple();
  return source_of_memory(s.memory);
}

const Placed &part_of_compound(const Memory &compound, size_t index) {
  return nb::cast<const Placed &>(parts_of_memory(compound)[index]);
}

bool is_decomposed(const Placed &placed) {
  return placed.placed.shape.kind == GRAZE_COMPOUND && nb::len(source_of_memory(placed.memory)) > 0;
}

static nb::list faces_of(const Shape &s) {
  require_kind(s, {GRAZE_MESH}, "faces");
  const graze_mesh_def mesh = graze_mesh_faces(s.shape.as.mesh);
  nb::list list;
  for (size_t i = 0; i < mesh.face_count; i++) {
    const int32_t *f = mesh.faces + (size_t)mesh.dim * i;
    list.append(mesh.dim == 2 ? nb::make_tuple(f[0], f[1]) : nb::make_tuple(f[0], f[1], f[2]));
  }
  return list;
}

static const char *hull_constructor(const graze_shape &hull) {
  return hull.as.hull.adjacency.start ? "hull" : "hull_points";
}

// The function of the module that makes the shape without its margin, and its arguments.
static std::pair<const char *, nb::tuple> call_of(const Shape &s) {
  const graze_shape &shape = s.shape;
  const int dim = shape.dim;
  const auto vec = [dim](graze_vec v) { return vector(v, dim); };
  switch (shape.kind) {
  case GRAZE_POINT: return {dim == 2 ? "point2" : "point", nb::make_tuple()};
  case GRAZE_SEGMENT:
    return {"segment", nb::make_tuple(vec(shape.as.segment.vertices[0]), vec(shape.as.segment.vertices[1]))};
  case GRAZE_TRIANGLE: {
    const graze_vec *v = shape.as.triangle.vertices;
    return {"triangle", nb::make_tuple(vec(v[0]), vec(v[1]), vec(v[2]))};
  }
  case GRAZE_BOX: return {"box", nb::tuple(nb::cast(vec(shape.as.box.half_extents)))};
  case GRAZE_POLYGON: return {"polygon", nb::make_tuple(vertices_of(s))};
  case GRAZE_HULL: return {hull_constructor(shape), nb::make_tuple(vertices_of(s))};
  case GRAZE_SPHERE: return {dim == 2 ? "circle" : "sphere", nb::make_tuple(shape.as.sphere.radius)};
  case GRAZE_CAPSULE:
    return {dim == 2 ? "capsule2" : "capsule", nb::make_tuple(shape.as.capsule.radius, shape.as.capsule.half_length)};
  case GRAZE_CYLINDER:
  case GRAZE_CONE: return {kind_text(shape.kind), nb::make_tuple(radius_of(s), half_length_of(s))};
  case GRAZE_ELLIPSOID: return {dim == 2 ? "ellipse" : "ellipsoid", nb::tuple(nb::cast(vec(shape.as.ellipsoid.radii)))};
  case GRAZE_HALFSPACE: return {"halfspace", nb::make_tuple(vec(shape.as.halfspace.normal), shape.as.halfspace.offset)};
  case GRAZE_USER: return {"user", nb::make_tuple(dim, s.memory.objects)};
  case GRAZE_COMPOUND: {
    const nb::tuple source = outline_of(s);
    if (nb::len(source) > 0) return {"_restore_decomposed", source};
    return {"compound", nb::make_tuple(nb::list(parts_of(s)))};
  }
  case GRAZE_MESH:
    return {"mesh", nb::make_tuple(vertices_of(s), faces_of(s), graze_mesh_faces(shape.as.mesh).surface)};
  }
  return {"", nb::make_tuple()};
}

// Long lists are not written: "hull(<8 points>)".
static std::string shape_repr(const Shape &s) {
  std::string text = s.shape.kind == GRAZE_HULL ? hull_constructor(s.shape) : kind_text(s.shape.kind);
  const auto counted = [](size_t count, const char *word) { return "(<" + std::to_string(count) + " " + word + ">)"; };
  if (is_about(s, {GRAZE_POLYGON, GRAZE_HULL}))
    text += counted(graze_vertex_count(&s.shape), "points");
  else if (s.shape.kind == GRAZE_COMPOUND)
    text += counted(nb::len(parts_of(s)), "parts");
  else if (s.shape.kind == GRAZE_MESH)
    text += counted(graze_mesh_faces(s.shape.as.mesh).face_count, s.shape.dim == 2 ? "edges" : "triangles");
  else {
    const auto [name, arguments] = call_of(s);
    text = name;
    text += nb::len(arguments) == 1 ? std::string("(") + nb::repr(arguments[0]).c_str() + ")"
                                    : std::string(nb::repr(arguments).c_str());
  }
  if (s.shape.margin > 0) text += ".with_margin(" + number_text(s.shape.margin) + ")";
  return text;
}

// Equal shapes have equal numbers: parameters, or the first vertices. Compounds, meshes and user shapes are equal if
// they are the same object.
static Py_hash_t shape_hash(const Shape &s) {
  enum { MAX_VERTICES = 8 };
  const graze_shape &shape = s.shape;
  nb::list key;
  key.append((int)shape.kind), key.append(shape.dim), key.append(shape.margin);
  const bool by_vertices = is_about(s, {GRAZE_SEGMENT, GRAZE_TRIANGLE, GRAZE_POLYGON, GRAZE_HULL});
  if (is_about(s, {GRAZE_USER}))
    key.append((uintptr_t)shape.as.user.context);
  else if (is_about(s, {GRAZE_COMPOUND, GRAZE_MESH}))
    key.append(shape.kind == GRAZE_MESH ? (uintptr_t)shape.as.mesh : (uintptr_t)shape.as.compound);
  else if (!by_vertices)
    key.append(call_of(s).second);
  for (size_t i = 0; by_vertices && i < graze_vertex_count(&shape) && i < MAX_VERTICES; i++)
    key.append(vector(graze_vertex(&shape, i), shape.dim));
  return nb::hash(nb::tuple(key));
}

static Shape with_margin(const Shape &s, double margin) {
  return make_shape(graze_with_margin(s.shape, margin), s.memory, "with_margin");
}

static Shape restore_shape(const std::string &constructor, nb::tuple arguments, double margin) {
  nb::object function = nb::getattr(nb::module_::import_("graze._graze"), constructor.c_str(), nb::none());
  nb::object made = PyCallable_Check(function.ptr()) && !PyType_Check(function.ptr()) ? function(*arguments) : function;
  Shape *shape;
  if (!nb::try_cast(made, shape) || !shape)
    reject("constructor", nb::cast(constructor), "a function that returns a Shape");
  return with_margin(*shape, margin);
}

static nb::tuple reduce_shape(const Shape &s) {
  const auto [name, arguments] = call_of(s);
  return reduced("_restore_shape", name, arguments, s.shape.margin);
}

static void bind_constructors(Module &m) {
  m.def("point", &new_point, "Returns the local origin as a shape, in 3D.");
  m.def("point2", &new_point2, "Returns the local origin as a shape, in 2D.");
  m.def("segment", &new_segment, "a"_a, "b"_a, "Returns a segment between two points of 2 or 3 coordinates.");
  m.def("triangle", &new_triangle, "a"_a, "b"_a, "c"_a, "Returns a triangle with corners of 2 or 3 coordinates.");
  m.def("box", &new_box, "x"_a, "y"_a, "z"_a.none() = nb::none(), R"(Returns a box about the local origin.

x, y, z are its half extents, >= 0; zero makes it flat. Without z the box is 2D.

>>> import graze
>>> graze.box(1, 2, 3).half_extents
(1.0, 2.0, 3.0))");
  m.def("polygon", &new_polygon, "vertices"_a, R"(Returns a convex 2D polygon.

vertices: shape (n, 2), n >= 3, in order, either winding. Repeated and collinear vertices are allowed.
decompose() accepts any outline.)");
  m.def("hull_points", &new_hull_points, "points"_a,
        "Returns the convex hull of points of shape (n, 2) or (n, 3), n >= 1, without removing inner points.");
  m.def("hull", &hull_shape, "points"_a, R"(Returns the convex hull of points.

points: shape (n, 2) or (n, 3), n >= 1. Inner points are removed, exactly. Class Hull also has the faces.

>>> import graze
>>> len(graze.hull([(0, 0), (4, 0), (0, 4), (1, 1)]).vertices)
3)");
  m.def(
      "sphere", [](double radius) { return simple(graze_sphere(radius), "sphere"); }, "radius"_a,
      "Returns a sphere about the local origin.");
  m.def(
      "circle", [](double radius) { return simple(graze_circle(radius), "circle"); }, "radius"_a,
      "Returns a circle about the local origin, in 2D: a disk.");
  m.def(
      "capsule",
      [](double radius, double half_length) { return simple(graze_capsule(radius, half_length), "capsule"); },
      "radius"_a, "half_length"_a, "Returns a capsule whose core segment lies along local z.");
  m.def(
      "capsule2",
      [](double radius, double half_length) { return simple(graze_capsule2(radius, half_length), "capsule2"); },
      "radius"_a, "half_length"_a, "Returns a 2D capsule whose core segment lies along local x.");
  m.def(
      "ellipsoid", [](double x, double y, double z) { return simple(graze_ellipsoid(x, y, z), "ellipsoid"); }, "x"_a,
      "y"_a, "z"_a, "Returns an ellipsoid with these radii.");
  m.def(
      "ellipse", [](double x, double y) { return simple(graze_ellipse(x, y), "ellipse"); }, "x"_a, "y"_a,
      "Returns a 2D ellipse with these radii.");
  m.def(
      "cylinder",
      [](double radius, double half_length) { return simple(graze_cylinder(radius, half_length), "cylinder"); },
      "radius"_a, "half_length"_a, "Returns a cylinder along local z.");
  m.def(
      "cone", [](double radius, double half_length) { return simple(graze_cone(radius, half_length), "cone"); },
      "radius"_a, "half_length"_a,
      "Returns a cone with its apex at +half_length on local z, and its base disk at -half_length.");
  m.def("halfspace", &new_halfspace, "normal"_a, "offset"_a,
        "Returns the points x with (normal/|normal|)·x <= offset. The normal has any nonzero length.");
  m.def("compound", &new_compound, "parts"_a, nb::sig("def compound(parts: collections.abc.Sequence[Placed]) -> Shape"),
        R"(Returns placed convex parts as one shape, their union.

The depth of an overlap is that of the deepest pair of parts: a lower bound of the depth of the union.)");
  m.def("user", &new_user, "dim"_a, "support"_a,
        nb::sig("def user(dim: int, support: collections.abc.Callable[[tuple[float, ...]], "
                "graze.typing.SupportResult]) -> Shape"),
        R"(Returns a shape that is given by its support function.

support(direction) returns the point of the shape that is farthest in a local direction (never zero, any length). It
may return (point, error): no point of the shape is farther than direction·point + error·|direction|. It must be
deterministic. Answers about such a shape rely on this: answer.conditional is true.)");
  define_restore(m, "_restore_shape", "Shape", &restore_shape, "constructor", "arguments", "margin");
}

void bind_shapes(Module &m) {
  nb::enum_<graze_shape_kind>(m, "ShapeKind", "The kind of a shape.")
      .value("POINT", GRAZE_POINT, "The local origin: point(), point2().")
      .value("SEGMENT", GRAZE_SEGMENT, "Two points: segment().")
      .value("TRIANGLE", GRAZE_TRIANGLE, "Three points: triangle().")
      .value("BOX", GRAZE_BOX, "Half extents about the local origin: box().")
      .value("POLYGON", GRAZE_POLYGON, "A convex polygon in 2D: polygon(), hull().")
      .value("HULL", GRAZE_HULL, "The convex hull of points: hull(), hull_points().")
      .value("SPHERE", GRAZE_SPHERE, "In 2D a circle.")
      .value("CAPSULE", GRAZE_CAPSULE, "A core segment along local z, in 2D local x: capsule(), capsule2().")
      .value("ELLIPSOID", GRAZE_ELLIPSOID, "In 2D an ellipse.")
      .value("CYLINDER", GRAZE_CYLINDER, "A cylinder along local z: cylinder().")
      .value("CONE", GRAZE_CONE, "A cone along local z: cone().")
      .value("HALFSPACE", GRAZE_HALFSPACE, "The points on one side of a plane or line: halfspace().")
      .value("USER", GRAZE_USER, "A support function in Python: user().")
      .value("COMPOUND", GRAZE_COMPOUND, "Placed convex parts: compound().")
      .value("MESH", GRAZE_MESH, "Triangles, in 2D edges: mesh().");
  Class<Shape>(m, "Shape", nb::type_slots(collected<Shape>),
               R"(A convex shape, a compound of convex shapes, or a mesh, in its own frame. Immutable.

Shapes with the same numbers are equal; a compound, a mesh or a user shape equals only itself, with the same margin.
Lengths are in the unit of the caller. Members that the kind does not have raise AttributeError.)")
      .def_prop_ro(
          "kind", [](const Shape &s) { return s.shape.kind; }, "The kind of the shape.")
      .def_prop_ro(
          "dim", [](const Shape &s) { return s.shape.dim; }, "2 or 3.")
      .def_prop_ro(
          "margin", [](const Shape &s) { return s.shape.margin; },
          "The radius of the ball that rounds the shape, >= 0.")
      .def_prop_ro(
          "is_curved", [](const Shape &s) { return graze_is_curved(&s.shape); },
          "Whether the core is curved: ellipsoid, cylinder, cone, user shape.")
      .def_prop_ro(
          "half_extents",
          [](const Shape &s) {
            require_kind(s, {GRAZE_BOX}, "half_extents");
            return vector(s.shape.as.box.half_extents, s.shape.dim);
          },
          "The half extents of a box, 2 or 3 lengths.")
      .def_prop_ro("radius", &radius_of, "The radius of a sphere, capsule, cylinder or cone.")
      .def_prop_ro("half_length", &half_length_of, "Half the length of a capsule, cylinder or cone.")
      .def_prop_ro(
          "radii",
          [](const Shape &s) {
            require_kind(s, {GRAZE_ELLIPSOID}, "radii");
            return vector(s.shape.as.ellipsoid.radii, s.shape.dim);
          },
          "The radii of an ellipsoid, 3 lengths; of an ellipse 2.")
      .def_prop_ro(
          "normal",
          [](const Shape &s) {
            require_kind(s, {GRAZE_HALFSPACE}, "normal");
            return vector(s.shape.as.halfspace.normal, s.shape.dim);
          },
          "The normal of a half-space, 2 or 3 numbers of any length: it points out of the solid.")
      .def_prop_ro(
          "offset",
          [](const Shape &s) {
            require_kind(s, {GRAZE_HALFSPACE}, "offset");
            return s.shape.as.halfspace.offset;
          },
          "The offset of a half-space: a point x with (normal/|normal|)·x = offset is on its border.")
      .def_prop_ro("vertices", &vertices_of, nb::sig("def vertices(self) -> list[tuple[float, ...]]"),
                   "The vertices of the core, or those of a mesh, in the local frame. Certificates name them by index.")
      .def_prop_ro("faces", &faces_of, nb::sig("def faces(self) -> list[tuple[int, ...]]"),
                   "The triangles of a mesh, in 2D its edges, as indices of vertices.")
      .def_prop_ro(
          "is_solid",
          [](const Shape &s) {
            require_kind(s, {GRAZE_MESH}, "is_solid");
            return graze_mesh_is_solid(s.shape.as.mesh);
          },
          "Whether a mesh is closed and consistently oriented, and was not made as a surface.")
      .def_prop_ro("_outline", &outline_of, nb::sig("def _outline(self) -> tuple[typing.Any, ...]"),
                   "The arguments of decompose() for a decomposed polygon, otherwise empty.")
      .def_prop_ro("parts", &parts_of, nb::sig("def parts(self) -> tuple[Placed, ...]"), "The parts of a compound.")
      .def("with_margin", &with_margin, "margin"_a,
           "Returns the shape rounded by a ball of radius `margin` >= 0, which replaces an earlier margin.")
      .def(
          "__eq__",
          [](const Shape &a, nb::handle b) {
            return equality<Shape>(b, [&](const Shape &other) { return graze_shape_equal(&a.shape, &other.shape); });
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &shape_hash)
      .def("__repr__", &shape_repr)
      .def("__reduce__", &reduce_shape, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  bind_constructors(m);
}
