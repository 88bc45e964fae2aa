// Answers of queries about two shapes, and their certificates.
#pragma once

#include "binding.hpp"

#include <array>

// A certificate, and the memory that it points into.
struct Proof {
  bool whole; // with surfaces and proofs of all pairs of parts
  graze_certificate certificate = {};
  graze_surface surface = {};
  std::vector<graze_pair> pairs;
  std::vector<std::array<int32_t, 3>> faces;
  std::vector<graze_vec> points;
  std::vector<graze_part_proof> parts;
  std::vector<graze_frontier_node> nodes;
  graze_frontier frontier = {};
};

// The options of a query, without memory.
struct Options {
  double clearance, max_distance, tolerance;
  int max_iterations;
  graze_method method;
  bool large = false; // with a large workspace, because the small one on the stack was exhausted
};

// The number of points of a large workspace, and of one for a surface: cli/pair.c has the same.
enum { LARGE_POINTS = 8192, PROOF_POINTS = 2050 };

// A workspace on the heap.
struct Workspace {
  std::unique_ptr<char[]> memory;

  void set(graze_options &options, size_t points) {
    options.workspace_size = graze_workspace_size(points);
    memory.reset(new char[options.workspace_size]);
    options.workspace = memory.get();
  }
};

// An answer, with the placed shapes that it is about. The certificate is computed at the first use.
struct Answer {
  graze_answer answer;
  nb::object a, b;
  Options options;
  bool relation_only;
  std::shared_ptr<const Proof> proof = {};

  const Placed &placed_a() const { return *nb::inst_ptr<Placed>(a); }
  const Placed &placed_b() const { return *nb::inst_ptr<Placed>(b); }
  int dim() const { return placed_a().placed.shape.dim; }
};

inline int visit_objects(const Answer &answer, visitproc visit, void *arg) {
  Py_VISIT(answer.a.ptr());
  Py_VISIT(answer.b.ptr());
  return 0;
}

graze_options options_of(const Options &options, graze_error *error);

// proofs.cpp: repeats a query with a certificate.
std::shared_ptr<const Proof> prove(const Answer &answer, bool whole, graze_answer *found);
// The certificate as a dictionary with the keys of query lines (docs/guide/command-line.md).
nb::dict certificate_dict(const Answer &answer, const Proof &proof);

// The same of a cast.
nb::dict cast_certificate_dict(const graze_certificate &certificate, int dim);

// contacts.cpp: a list of Contact.
nb::list contact_list(const graze_contact *contacts, size_t count, int dim);

void bind_answers(Module &m);
