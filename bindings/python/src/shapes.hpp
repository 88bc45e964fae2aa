// Shapes: what the files about shapes share.
#pragma once

#include "binding.hpp"

// A structure that the library fills, and releases with `destroy`.
template <typename T, void (*destroy)(T *)> std::shared_ptr<T> owned() {
  return std::shared_ptr<T>(new T(), [](T *value) {
    destroy(value);
    delete value;
  });
}

const char *kind_text(graze_shape_kind kind);
Shape hull_shape(PointsLike points);
std::shared_ptr<graze_hull> make_hull(const std::vector<graze_vec> &points, int dim, const char *function);
// Part `index` of a compound, or face `index` of a mesh, at its place in the world.
Placed part_of(const Placed &placed, Py_ssize_t index);
// The part of a compound as it was given.
const Placed &part_of_compound(const Memory &compound, size_t index);
// The shape of a decomposed polygon. It owns the compound; `source` are the arguments of decompose().
Shape decomposed_shape(graze_compound *compound, nb::tuple parts, nb::tuple source);
bool is_decomposed(const Placed &placed);
// Whether queries of the shape call a support function in Python.
bool calls_python(const Shape &shape);
