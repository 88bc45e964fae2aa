// The module graze._graze.
#include "answers.hpp"

NB_MODULE(_graze, module) {
  Module m(module);
  nb::set_leak_warnings(false); // objects of other modules may live until the interpreter ends
  m.doc() = "Graze: exact collision detection in 2D and 3D.";
  m.def("version", &graze_version, "Returns the version of the library, for instance \"0.2.0\".");
  bind_errors(m);
  bind_values(m);
  bind_shapes(m);
  bind_placed(m);
  bind_answers(m);
  bind_queries(m);
  bind_contacts(m);
  bind_building(m);
  bind_meshes(m);
  bind_motion(m);
  bind_explain(m);
  bind_arrays(m);
  bind_scenes(m);
}
