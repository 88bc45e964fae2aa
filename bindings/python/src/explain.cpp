// Explanations of answers and casts: text, SVG and an HTML page.
#include "casts.hpp"
#include "shapes.hpp"

#include "explain/explanation.h"

namespace {
struct Made : explanation {
  Made() : explanation{} {}
  Made(const Made &) = delete;
  ~Made() { explanation_free(this); }
};
} // namespace

// Returns (text, svg or None, html). graze/_explain.py wraps it and writes the line.
static nb::tuple explain(nb::handle result, const std::string &line) {
  explained_query query = {};
  graze_options options = graze_default_options();
  graze_cast_options cast_options = graze_default_cast_options();
  Answer *answer;
  CastResult *cast;
  Placed a;
  query.line = line.c_str();
  if (nb::try_cast(result, answer) && answer) {
    a = answer->placed_a();
    query.b = &answer->placed_b().placed;
    query.relation_only = answer->relation_only;
    options = options_of(answer->options, nullptr);
  } else if (nb::try_cast(result, cast) && cast) {
    a = target_of(*cast);
    query.b = &cast->placed_b();
    query.moves = true;
    query.ray = cast->ray;
    query.motion_a = cast->motion_a;
    query.motion_b = cast->motion_b;
    query.t_max = cast->options.t_max;
    cast_options = options_of_cast(cast->options, nullptr);
    options.clearance = cast_options.clearance;
    options.tolerance = cast_options.tolerance;
    options.max_iterations = cast_options.max_iterations;
  } else {
    reject("result", result, "an Answer or a CastResult");
  }
  query.a = &a.placed;
  query.decomposed_a = is_decomposed(a);
  query.decomposed_b = is_decomposed(*nb::inst_ptr<Placed>(result.attr("b")));
  query.options = &options;
  query.cast_options = &cast_options;
  Made made;
  char message[512];
  const bool good = explain_query(&query, &made, message, sizeof message);
  finish_callbacks();
  if (!good) raise(GRAZE_UNSUPPORTED, std::string("explain: ") + message);
  const nb::object svg = made.svg ? nb::object(nb::str(made.svg)) : nb::none();
  return nb::make_tuple(nb::str(made.text), svg, nb::str(made.html));
}

// The options that are not the defaults, with the keys of query lines.
static nb::dict query_options(nb::handle result) {
  Answer *answer;
  CastResult *cast;
  const graze_options defaults = graze_default_options();
  nb::dict options;
  const auto set = [&](const char *name, auto value, auto usual) {
    if (value != usual) options[name] = value;
  };
  const auto set_common = [&](const auto &from) {
    set("clearance", from.clearance, defaults.clearance);
    set("tolerance", from.tolerance, defaults.tolerance);
    set("max_iterations", from.max_iterations, defaults.max_iterations);
    const nb::object name = nb::cast(from.method).attr("name").attr("lower")();
    if (!name.equal(nb::str("auto"))) options["method"] = name;
  };
  if (nb::try_cast(result, answer) && answer) {
    set_common(answer->options);
    set("max_distance", answer->options.max_distance, defaults.max_distance);
  } else if (nb::try_cast(result, cast) && cast) {
    set_common(cast->options);
  }
  return options;
}

void bind_explain(Module &m) {
  m.def("_explain", &explain, "result"_a, "line"_a,
        nb::sig("def _explain(result: Answer | CastResult, line: str) -> tuple[str, str | None, str]"));
  m.def("_query_options", &query_options, "result"_a,
        nb::sig("def _query_options(result: Answer | CastResult) -> dict[str, object]"));
}
