// Functions whose TypeError names the argument.
//
// For an argument of a wrong type, nanobind lists all overloads. So the functions that Module and Class add accept any
// object for each named argument. They convert the objects afterwards, from left to right, with the casters of
// nanobind. The first conversion that fails raises "ARGUMENT: VALUE, must be ALLOWED".
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <tuple>

namespace nb = nanobind;

// Raises TypeError: "ARGUMENT: VALUE, must be ALLOWED".
[[noreturn]] void reject(const std::string &argument, nb::handle value, const std::string &allowed);

// values.cpp: reads a number, not that of a string. Returns whether it is one. A whole number beyond the range of
// doubles is infinite. Exceptions of the object's __float__() pass through.
bool read_number(nb::handle value, double &number);

struct Placed;
struct PlacedObject;

// An argument that is converted to T later.
template <typename T> struct Unchecked {
  nb::handle value;
  operator nb::handle() const { return value; }
};

namespace nanobind::detail {
template <typename T> struct type_caster<Unchecked<T>> {
  NB_TYPE_CASTER(Unchecked<T>, make_caster<remove_opt_mono_t<T>>::Name)
  bool from_python(handle source, uint8_t, cleanup_list *) noexcept {
    value.value = source;
    return true;
  }
};
} // namespace nanobind::detail

// The words after "must be" for an argument of type T.
template <typename T> std::string allowed_text() {
  using Type = nb::detail::intrinsic_t<T>;
  if constexpr (std::is_same_v<Type, Placed> || std::is_same_v<Type, PlacedObject>)
    return "a placed shape: see place()";
  else if constexpr (std::is_same_v<Type, bool>)
    return "True or False";
  else if constexpr (std::is_floating_point_v<Type>)
    return "a number";
  else if constexpr (std::is_integral_v<Type>) {
    const std::string bits = std::to_string(std::numeric_limits<Type>::digits);
    return "a whole number, " + (std::is_signed_v<Type> ? "-2^" + bits : "0") + " to 2^" + bits + " - 1";
  } else if constexpr (std::is_enum_v<Type> || nb::detail::is_base_caster_v<nb::detail::make_caster<T>>) {
    const std::string name = nb::cast<std::string>(nb::type<Type>().attr("__name__"));
    return (std::string("AEIOU").find(name[0]) == std::string::npos ? "a " : "an ") + name;
  } else if constexpr (std::is_same_v<Type, std::string>)
    return "a string";
  else if constexpr (std::is_same_v<Type, nb::bytes>)
    return "bytes";
  else if constexpr (std::is_same_v<Type, nb::callable>)
    return "a function";
  else
    return std::is_same_v<Type, nb::sequence> ? "a sequence"
                                              : "a sequence of the length and the types that __reduce__() gives";
}

// The conversion of one argument.
template <typename T> struct Argument {
  using Caster = nb::detail::make_caster<T>;
  Caster caster;

  void load(nb::handle value, const char *name) {
    const bool none = nb::detail::is_base_caster_v<Caster> && !std::is_pointer_v<T> && value.is_none();
    const auto convert = (uint8_t)nb::detail::cast_flags::convert;
    if (none || !caster.from_python(value, convert, nullptr) || !caster.template can_cast<T>())
      reject(name, value, allowed_text<T>());
  }
  decltype(auto) get() { return caster.operator nb::detail::cast_t<T>(); }
};

template <> struct Argument<double> {
  double number;

  void load(nb::handle value, const char *name) {
    if (!read_number(value, number)) reject(name, value, allowed_text<double>());
  }
  double get() { return number; }
};

template <> struct Argument<std::optional<double>> {
  std::optional<double> number;

  void load(nb::handle value, const char *name) {
    Argument<double> given;
    if (value.is_none()) return;
    given.load(value, name);
    number = given.number;
  }
  std::optional<double> get() { return number; }
};

template <typename... Args> struct Arguments {
  std::tuple<Argument<Args>...> all;

  template <size_t N> void load(const std::array<const char *, N> &names, const std::array<nb::handle, N> &values) {
    size_t i = 0;
    const auto next = [&](auto &argument) {
      argument.load(values[i], names[i]);
      i++;
    };
    std::apply([&](auto &...argument) { (next(argument), ...); }, all);
  }
  template <typename Function, typename... First> decltype(auto) call(const Function &function, First &&...first) {
    return std::apply(
        [&](auto &...argument) -> decltype(auto) { return function(std::forward<First>(first)..., argument.get()...); },
        all);
  }
};

template <typename T>
using unchecked_t = std::conditional_t<std::is_base_of_v<nb::kwargs, nb::detail::intrinsic_t<T>>, T, Unchecked<T>>;

template <size_t N, typename Function, typename Result, typename... Args>
auto checked(const std::array<const char *, N> &names, const Function &function,
             const std::function<Result(Args...)> &) {
  return [names, function](unchecked_t<Args>... values) -> Result {
    Arguments<Args...> arguments;
    arguments.load(names, std::array<nb::handle, N>{values...});
    return arguments.call(function);
  };
}

template <size_t N, typename Function, typename Result, typename Self, typename... Args>
auto checked_method(const std::array<const char *, N> &names, const Function &function,
                    const std::function<Result(Self, Args...)> &) {
  return [names, function](Self self, unchecked_t<Args>... values) -> Result {
    Arguments<Args...> arguments;
    arguments.load(names, std::array<nb::handle, N>{values...});
    return arguments.call(function, std::forward<Self>(self));
  };
}

template <typename Extra> inline constexpr bool is_argument = requires(const Extra &extra) { extra.name_; };

template <typename... Extra> auto names_of(const Extra &...extra) {
  std::array<const char *, (is_argument<Extra> + ... + 0)> names = {};
  size_t i = 0;
  (void)i;
  const auto add = [&](const auto &item) {
    if constexpr (is_argument<std::decay_t<decltype(item)>>) names[i++] = item.name_;
  };
  (add(extra), ...);
  return names;
}

// The same argument, for which nanobind does not reject None. Only where nb::sig gives the signature, because nanobind
// adds "| None" to its own.
template <typename Extra> const Extra &admitting_none(const Extra &extra) { return extra; }
template <uint32_t flags, bool locked> auto admitting_none(const nb::arg_t<flags, locked> &argument) {
  return argument.none();
}
template <uint32_t flags, bool locked> auto admitting_none(const nb::arg_v_t<flags, locked> &argument) {
  const nb::arg_t<flags, locked> &base = argument;
  return nb::arg_v_t<flags | nb::detail::cast_flags::accepts_none, locked>(base, nb::object(argument.value));
}

// Calls define(function, extra...) with a function that checks its arguments, if these have names.
template <bool method, typename Define, typename Function, typename... Extra>
void define_checked(Define define, const Function &function, const Extra &...extra) {
  constexpr bool has_signature = (std::is_same_v<Extra, nb::sig> || ... || false);
  if constexpr (!(is_argument<Extra> || ... || false)) {
    define(function, extra...);
  } else {
    const auto wrapped = [&] {
      if constexpr (method)
        return checked_method(names_of(extra...), function, std::function(function));
      else
        return checked(names_of(extra...), function, std::function(function));
    }();
    if constexpr (has_signature)
      define(wrapped, admitting_none(extra)...);
    else
      define(wrapped, extra...);
  }
}

struct Module : nb::module_ {
  explicit Module(nb::module_ module) : nb::module_(std::move(module)) {}

  template <typename Function, typename... Extra>
  void def(const char *name, const Function &function, const Extra &...extra) {
    nb::module_ &base = *this;
    define_checked<false>([&base, name](const auto &...all) { base.def(name, all...); }, function, extra...);
  }
};

template <typename T> struct Class : nb::class_<T> {
  using Base = nb::class_<T>;
  using Base::Base;

  template <typename Function, typename... Extra>
  Class &def(const char *name, const Function &function, const Extra &...extra) {
    Base &base = *this;
    define_checked<true>([&base, name](const auto &...all) { base.def(name, all...); }, function, extra...);
    return *this;
  }
  template <typename Function, typename... Extra>
  Class &def_static(const char *name, const Function &function, const Extra &...extra) {
    Base &base = *this;
    define_checked<false>([&base, name](const auto &...all) { base.def_static(name, all...); }, function, extra...);
    return *this;
  }
  template <typename Function, typename... Extra>
  Class &def_prop_ro(const char *name, const Function &function, const Extra &...extra) {
    Base::def_prop_ro(name, function, extra...);
    return *this;
  }
};

// ---- Pickling

// The result of __reduce__: unpickling calls a function of the module by its name, with these arguments.
template <typename... Args> nb::tuple reduced(const char *function, Args &&...arguments) {
  return nb::make_tuple(nb::module_::import_("graze._pickle").attr("call"),
                        nb::make_tuple(function, std::forward<Args>(arguments)...));
}

// Called in a catch clause: raises ValueError "CLASS: damaged pickle data: REASON" for an exception that wrong
// arguments cause, and the exception itself otherwise.
[[noreturn]] void reject_pickle(const std::string &type);

template <size_t N, typename Function, typename Result, typename... Args>
auto restoring(const char *type, const std::array<const char *, N> &names, const Function &function,
               const std::function<Result(Args...)> &) {
  static_assert(N == sizeof...(Args));
  return [type, names, function](nb::args values) -> Result {
    try {
      if (nb::len(values) != N) reject("arguments", values, std::to_string(N));
      Arguments<Args...> arguments;
      std::array<nb::handle, N> handles;
      for (size_t i = 0; i < N; i++) handles[i] = values[i];
      arguments.load(names, handles);
      return arguments.call(function);
    } catch (...) { reject_pickle(type); }
  };
}

// Adds the function that restores objects of a class; `names` are those of its arguments, for messages.
template <typename Function, typename... Names>
void define_restore(nb::module_ &m, const char *name, const char *type, const Function &function, Names... names) {
  const std::string signature = std::string("def ") + name + "(*arguments: typing.Any) -> " + type;
  const std::array<const char *, sizeof...(Names)> all = {names...};
  m.def(name, restoring(type, all, function, std::function(function)), nb::sig(signature.c_str()));
}
