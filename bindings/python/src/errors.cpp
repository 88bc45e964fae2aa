// Exceptions: the status and the reason of a failed call become graze.Error; exceptions of callbacks pass through.
#include "binding.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

std::string number_text(double value) {
  char text[32] = "nan";
  if (std::fabs(value) < 0x1p53 && value == std::trunc(value)) {
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
  }
  for (int digits = 1; !std::isnan(value) && digits <= 17; digits++) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

void raise(graze_status status, const std::string &message, const std::string &argument, ptrdiff_t index,
           double value) {
  if (status == GRAZE_OUT_OF_MEMORY) throw std::bad_alloc();
  nb::object type = nb::module_::import_("graze._errors").attr("Error");
  nb::object error = type(message, status, argument, index < 0 ? nb::object(nb::none()) : nb::int_(index), value);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

// Whether the value belongs into the message. A zero may mean that there is none.
static bool shows_value(const graze_error *error) {
  return error->value != 0 || error->status == GRAZE_BAD_NUMBER || std::strstr(error->allowed, ">") != nullptr;
}

namespace {
// A member in C, and the argument of the function in Python. `parts`: one argument for each index.
struct Renamed {
  const char *function, *what, *argument;
  std::initializer_list<const char *> parts = {};
};
} // namespace

static const Renamed renamed[] = {
    {"box", "half_extents", "", {"x", "y", "z"}},
    {"ellipsoid", "radii", "", {"x", "y", "z"}},
    {"ellipse", "radii", "", {"x", "y"}},
    {"segment", "vertices", "", {"a", "b"}},
    {"triangle", "vertices", "", {"a", "b", "c"}},
    {"hull", "vertices", "points"},
    {"Hull", "vertices", "points"},
    {"hull_points", "vertices", "points"},
    {"fit_box", "vertices", "points"},
    {"place", "position", "pose.position"},
    {"place", "rotation", "pose.rotation"},
    {"with_pose", "position", "pose.position"},
    {"with_pose", "rotation", "pose.rotation"},
    {"within", "within", "distance"},
    {"nearest", "within", "distance"},
    {"closest_pairs", "within", "distance"},
};

// Writes the name of the argument in Python. The index is -1 if the name contains it.
static void rename_argument(const std::string &function, std::string &argument, ptrdiff_t &index) {
  for (const Renamed &row : renamed) {
    if (function != row.function || argument != row.what) continue;
    const bool named = index >= 0 && (size_t)index < row.parts.size();
    if (row.parts.size() > 0 && !named) continue;
    argument = named ? row.parts.begin()[index] : row.argument;
    if (named) index = -1;
    return;
  }
}

// The rule of a number, with names of Python.
static std::string allowed_text(const char *allowed) {
  std::string text = allowed;
  for (const auto &[in_c, in_python] :
       {std::pair{"GRAZE_SPLIT_FEWEST", "Splitting.FEWEST"}, std::pair{"graze_scene_save()", "Scene.save()"}})
    if (const size_t at = text.find(in_c); at != std::string::npos) text.replace(at, std::strlen(in_c), in_python);
  return text;
}

void check(graze_status status, const char *function, const graze_error *error, const char *prefix) {
  if (status == GRAZE_OK) return;
  const std::string name = function;
  if (error == nullptr || error->status == GRAZE_OK || error->what == nullptr || *error->what == 0)
    raise(status, name + ": " + graze_status_text(status));
  std::string argument = prefix;
  if (error->owner != nullptr && *error->owner != 0) argument.append(error->owner).append(".");
  argument += error->what;
  ptrdiff_t index = error->index;
  rename_argument(name, argument, index);
  std::string text = name + ": " + argument;
  if (index >= 0) text.append("[").append(std::to_string(index)).append("]");
  text.append(shows_value(error) ? " = " : ": ");
  text.append(shows_value(error) ? number_text(error->value) : graze_status_text(status));
  if (error->allowed != nullptr && *error->allowed != 0)
    text.append(" (").append(allowed_text(error->allowed)).append(")");
  raise(status, text, argument, index, error->value);
}

void reject(const std::string &argument, nb::handle value, const std::string &allowed) {
  const nb::object written = nb::steal(PyObject_Repr(value.ptr()));
  if (!written.is_valid()) PyErr_Clear();
  std::string text = written.is_valid() ? nb::str(written).c_str() : nb::type_name(value.type()).c_str();
  if (text.size() > 60) {
    size_t end = 57;
    while ((text[end] & 0xC0) == 0x80) end--; // whole characters of UTF-8
    text = text.substr(0, end) + "...";
  }
  throw nb::type_error((argument + ": " + text + ", must be " + allowed).c_str());
}

void reject_pickle(const std::string &type) {
  const std::string start = type + ": damaged pickle data: ";
  try {
    throw;
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError) && !error.matches(PyExc_AttributeError))
      throw;
    const std::string reason = nb::str(error.value()).c_str();
    nb::raise_from(error, PyExc_ValueError, "%s", (start + reason).c_str());
  } catch (const nb::builtin_exception &error) { throw nb::value_error((start + error.what()).c_str()); }
}

// ---- Exceptions of callbacks

static thread_local std::exception_ptr failure;

CallbackScope::CallbackScope() noexcept : earlier(std::exchange(failure, nullptr)) {}

CallbackScope::~CallbackScope() {
  if (earlier) failure = earlier;
}

void callback_failed() noexcept {
  if (!failure) failure = std::current_exception();
}

void finish_callbacks() {
  if (!failure) return;
  std::exception_ptr raised = failure;
  failure = nullptr;
  std::rethrow_exception(raised);
}

void bind_errors(Module &m) {
  nb::enum_<graze_status>(m, "Status", "The status of a failed call: the member `status` of an Error.")
      .value("OK", GRAZE_OK, "No error.")
      .value("BAD_NUMBER", GRAZE_BAD_NUMBER, "A number is NaN, infinite, or larger than 1e40 in magnitude.")
      .value("BAD_SHAPE", GRAZE_BAD_SHAPE, "A negative size, no vertices, a zero quaternion, a zero normal.")
      .value("NOT_CONVEX", GRAZE_NOT_CONVEX, "A polygon that is not convex.")
      .value("NOT_SIMPLE", GRAZE_NOT_SIMPLE, "An outline that crosses itself, or has a hole that is not inside it.")
      .value("DIM_MISMATCH", GRAZE_DIM_MISMATCH, "A 2D object with a 3D object.")
      .value("BAD_OPTION", GRAZE_BAD_OPTION, "An option out of its range.")
      .value("UNSUPPORTED", GRAZE_UNSUPPORTED, "The query is not defined for these shapes.")
      .value("NO_SPACE", GRAZE_NO_SPACE, "An array is too small for the result.")
      .value("OUT_OF_MEMORY", GRAZE_OUT_OF_MEMORY, "An allocation failed. Python raises MemoryError.")
      .value("REFUTED", GRAZE_REFUTED, "The certificate or the interval is wrong.")
      .value("UNPROVEN", GRAZE_UNPROVEN, "The answer states something that its certificate does not prove.")
      .value("NO_BODY", GRAZE_NO_BODY, "A scene has no body with this id.")
      .value("BAD_DATA", GRAZE_BAD_DATA, "Bytes that are not a snapshot, are damaged, or come from another version.");
}
