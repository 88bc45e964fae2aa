// Explanations of answers and casts: text, SVG and an HTML page.
#include "casts.hpp"
#include "shapes.hpp"

#include "explain/explanation.h"

// Returns (text, svg or None, html). graze/_explain.py wraps it and writes the line.
static nb::tuple explain(nb::handle result, const std::string &line) {
  explained_query query = {};
  Answer *answer;
  CastResult *cast;
  query.line = line.c_str();
  if (nb::try_cast(result, answer) && answer) {
    query.a = &answer->placed_a().placed;
    query.b = &answer->placed_b().placed;
    query.relation_only = answer->relation_only;
    query.clearance = answer->options.clearance;
  } else if (nb::try_cast(result, cast) && cast) {
    query.a = &cast->placed_a();
    query.b = &cast->placed_b();
    query.moves = true;
    query.ray = cast->ray;
    query.motion_a = cast->motion_a;
    query.motion_b = cast->motion_b;
    query.t_max = cast->options.t_max;
    query.clearance = cast->options.clearance;
  } else {
    reject("result", result, "an Answer or a CastResult");
  }
  query.decomposed_a = is_decomposed(*nb::inst_ptr<Placed>(result.attr("a")));
  query.decomposed_b = is_decomposed(*nb::inst_ptr<Placed>(result.attr("b")));
  explanation made;
  char message[512];
  const bool good = explain_query(&query, &made, message, sizeof message);
  finish_callbacks();
  if (!good) raise(GRAZE_UNSUPPORTED, std::string("explain: ") + message);
  const nb::object svg = made.svg ? nb::object(nb::str(made.svg)) : nb::none();
  const nb::tuple forms = nb::make_tuple(nb::str(made.text), svg, nb::str(made.html));
  explanation_free(&made);
  return forms;
}

void bind_explain(Module &m) {
  m.def("_explain", &explain, "result"_a, "line"_a,
        nb::sig("def _explain(result: Answer | CastResult, line: str) -> tuple[str, str | None, str]"));
}
