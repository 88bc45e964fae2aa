/* Parry in doubles and in floats, through a small library in Rust: parry/src/meshes.rs.
 * https://github.com/dimforge/parry */
#include "../meshes.h"

#define PARRY(name, text, single)                                                                                      \
  void *name##_build(const bench_mesh *);                                                                              \
  void name##_release(void *);                                                                                         \
  void *name##_place(void *, const bench_place *);                                                                     \
  void name##_remove(void *);                                                                                          \
  bool name##_first(void *, void *);                                                                                   \
  size_t name##_contacts(void *, void *);                                                                              \
  double name##_distance(void *, void *);                                                                              \
  double name##_ray(void *, const double *, const double *);                                                           \
  const mesh_peer name = {text,          single,       name##_build,    name##_release,  name##_place,                 \
                          name##_remove, name##_first, name##_contacts, name##_distance, name##_ray}
PARRY(mesh_parry, "parry", false);
PARRY(mesh_parry_single, "parry-f32", true);
