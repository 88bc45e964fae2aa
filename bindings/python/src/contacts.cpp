// Contact points: of two shapes, and of all pairs of parts.
#include "answers.hpp"

#include <limits>

namespace {
struct Contact {
  graze_contact contact;
  int dim;
};

// Receives the pairs of parts of graze_contacts().
struct PartPairs {
  std::vector<std::pair<graze_answer, std::vector<graze_contact>>> pairs;
};

enum { MAX_CONTACTS = 145 }; // hold any complete contact polygon
} // namespace

nb::list contact_list(const graze_contact *contacts, size_t count, int dim) {
  nb::list list;
  for (size_t i = 0; i < count; i++) list.append(Contact{contacts[i], dim});
  return list;
}

static nb::tuple reduce_contact(const Contact &c) {
  return reduced("_restore_contact", vector(c.contact.point_a, c.dim), vector(c.contact.point_b, c.dim),
                 c.contact.depth, c.contact.feature);
}

static Contact restore_contact(VectorLike point_a, VectorLike point_b, double depth, uint64_t feature) {
  Contact c = {};
  c.contact.point_a = read_vector(point_a.value, "point_a", 0, &c.dim);
  c.contact.point_b = read_vector(point_b.value, "point_b", c.dim);
  c.contact.depth = depth;
  c.contact.feature = feature;
  return c;
}

static graze_manifold_options options_of_manifold(const Options &from, double speculative_distance,
                                                  graze_error *error) {
  graze_manifold_options options = graze_default_manifold_options();
  options.clearance = from.clearance;
  options.speculative_distance = speculative_distance;
  options.tolerance = from.tolerance;
  options.max_iterations = from.max_iterations;
  options.error = error;
  return options;
}

static nb::tuple manifold(PlacedObject a, PlacedObject b, double clearance, double speculative_distance,
                          double tolerance, int max_iterations, bool full) {
  const double unbounded = std::numeric_limits<double>::infinity();
  Answer answer = {
      {}, nb::borrow(a), nb::borrow(b), {clearance, unbounded, tolerance, max_iterations, GRAZE_METHOD_AUTO}, false};
  graze_error error = {};
  const graze_manifold_options options = options_of_manifold(answer.options, speculative_distance, &error);
  graze_contact contacts[MAX_CONTACTS];
  size_t count;
  const int dim = answer.dim();
  const graze_status status =
      graze_manifold(&answer.placed_a().placed, &answer.placed_b().placed, &options, &answer.answer, contacts,
                     full       ? MAX_CONTACTS
                     : dim == 2 ? 2
                                : 4,
                     &count);
  finish_callbacks();
  check(status, "manifold", &error);
  return nb::make_tuple(std::move(answer), contact_list(contacts, count, dim));
}

static bool add_pair(void *context, const graze_answer *answer, const graze_contact *contacts, size_t count) {
  static_cast<PartPairs *>(context)->pairs.push_back({*answer, {contacts, contacts + count}});
  return true;
}

static nb::list contacts_of_parts(PlacedObject a, PlacedObject b, double clearance, double speculative_distance) {
  const Placed &placed_a = *nb::inst_ptr<Placed>(a), &placed_b = *nb::inst_ptr<Placed>(b);
  const Options defaults = {clearance, std::numeric_limits<double>::infinity(), 0, 64, GRAZE_METHOD_AUTO};
  graze_error error = {};
  const graze_manifold_options options = options_of_manifold(defaults, speculative_distance, &error);
  PartPairs pairs;
  const graze_status status = graze_contacts(&placed_a.placed, &placed_b.placed, &options, add_pair, &pairs);
  finish_callbacks();
  check(status, "contacts", &error);
  nb::list result;
  const int dim = placed_a.placed.shape.dim;
  for (const auto &[answer, contacts] : pairs.pairs)
    result.append(nb::make_tuple(answer.part_a, answer.part_b, answer.relation, vector(answer.normal, dim),
                                 contact_list(contacts.data(), contacts.size(), dim)));
  return result;
}

void bind_contacts(Module &m) {
  Class<Contact>(m, "Contact", "One contact point. Immutable. Rounded, without a certificate.")
      .def_prop_ro(
          "point_a", [](const Contact &c) { return vector(c.contact.point_a, c.dim); },
          "The contact point on A, 2 or 3 coordinates in the world: point_b - point_a = -depth·normal, rounded.")
      .def_prop_ro(
          "point_b", [](const Contact &c) { return vector(c.contact.point_b, c.dim); },
          "The contact point on B, 2 or 3 coordinates in the world.")
      .def_prop_ro(
          "depth", [](const Contact &c) { return c.contact.depth; },
          "> 0: overlap; < 0: the gap of a speculative point.")
      .def_prop_ro(
          "feature", [](const Contact &c) { return c.contact.feature; },
          "An id of the two faces, edges or corners in contact. Successive calls give the same contact the same id.")
      .def("__repr__",
           [](const Contact &c) {
             const std::string at = nb::repr(nb::cast(vector(c.contact.point_a, c.dim))).c_str();
             return "Contact(" + at + ", depth=" + number_text(c.contact.depth) + ")";
           })
      .def("__reduce__", &reduce_contact, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_contact", "Contact", &restore_contact, "point_a", "point_b", "depth", "feature");
  m.def("manifold", &manifold, "a"_a, "b"_a, nb::kw_only(), "clearance"_a = 0.0, "speculative_distance"_a = 0.0,
        "tolerance"_a = 0.0, "max_iterations"_a = 64, "full"_a = false,
        nb::sig("def manifold(a: Placed, b: Placed, *, clearance: float = 0.0, speculative_distance: float = 0.0, "
                "tolerance: float = 0.0, max_iterations: int = 64, full: bool = False) -> "
                "tuple[Answer, list[Contact]]"),
        R"(Computes the contact points of two shapes: (answer, contacts).

answer is that of distance(). contacts are counter-clockwise about answer.normal: at most 4 (2D: 2) unless full is true.
speculative_distance: length >= 0; points with a gap up to it are reported, too.

>>> import graze
>>> floor, box = graze.place(graze.halfspace((0, 0, 1), 0)), graze.place(graze.box(1, 1, 1), (0, 0, 1))
>>> answer, contacts = graze.manifold(floor, box)
>>> answer.relation.name, len(contacts)
('TOUCHING', 4))");
  m.def("contacts", &contacts_of_parts, "a"_a, "b"_a, nb::kw_only(), "clearance"_a = 0.0,
        "speculative_distance"_a = 0.0,
        nb::sig("def contacts(a: Placed, b: Placed, *, clearance: float = 0.0, speculative_distance: float = 0.0) -> "
                "list[tuple[int, int, Relation, tuple[float, ...], list[Contact]]]"),
        R"(Returns (part_a, part_b, relation, normal, contacts) for each pair of parts in contact.

Parts are those of compounds and the faces of meshes. The order is deterministic, and not that of the indices.)");
}
