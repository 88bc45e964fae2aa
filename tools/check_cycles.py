#!/usr/bin/env python3
"""Checks that no files of src/, cli/ and bindings/ include or call each other in a cycle.

NAME.c and NAME.h are one unit. A unit depends on the units that it includes and on those that define a function it
calls; a prototype is no call. A cycle is a strongly connected component of more than one unit (Tarjan 1972).

usage: check_cycles.py [--edges] [--strict]     --edges: print why the units of a component depend on each other
                                                --strict: fail if there is a component"""
import collections
import re
import sys

from csource import functions, strip
from layers import ROOT, sources

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


def unit_of(path):
    return path.rsplit(".", 1)[0]


def bodies(text):
    """The text between braces: the places where functions are called."""
    depth, inside = 0, []
    for character in strip(text):
        depth += character == "{"
        inside.append(character if depth > 0 else " ")
        depth -= character == "}"
    return "".join(inside)


def dependencies(files):
    """{unit: {other unit: reason}} of {path: text}. An include path is relative to src/ or to the folder of the file."""
    defined = collections.defaultdict(set)  # function with external linkage, or inline in a header: its units
    local = collections.defaultdict(set)    # unit: its static functions
    for path, text in files.items():
        for function in functions(text):
            if function.is_static and path.endswith(".c"):
                local[unit_of(path)].add(function.name)
            else:
                defined[function.name].add(unit_of(path))
    graph = {unit_of(path): {} for path in files}
    for path, text in files.items():
        unit = unit_of(path)
        for name in INCLUDE.findall(text):
            for start in ("src/", path.rsplit("/", 1)[0] + "/", path.split("/", 1)[0] + "/", "bindings/lua/src/"):
                if start + name in files and unit_of(start + name) != unit:
                    graph[unit][unit_of(start + name)] = f"includes {name}"
                    break
        for name in CALL.findall(bodies(text)):
            # A name that several units define belongs to kernels: their includes are the dependency.
            if len(defined.get(name, ())) == 1 and unit not in defined[name] and name not in local[unit]:
                graph[unit].setdefault(next(iter(defined[name])), f"calls {name}()")
    return graph


def components(graph):
    """The strongly connected components with more than one unit, largest first."""
    index, low, stack, result = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in graph[unit]:
            if other not in index:
                visit(other)
            if other in stack:
                low[unit] = min(low[unit], low[other])
        if low[unit] == index[unit]:
            at = stack.index(unit)
            component = stack[at:]
            del stack[at:]
            if len(component) > 1:
                result.append(sorted(component))

    for unit in graph:
        if unit not in index:
            visit(unit)
    return sorted(result, key=lambda component: (-len(component), component))


def test_planted():
    """A cycle of an include and two calls is reported; its neighbours are not."""
    planted = {"src/a/x.h": "int x(void (*f)(int));", "src/a/x.c": '#include "a/x.h"\nint x(void (*f)(int)) { return y(1); }\n',
               "src/a/y.h": '#include "a/z.h"\nint y(int n);', "src/a/y.c": 'int\ny(int n)\n{\n  return "x("[n];\n}\n',
               "src/a/z.c": "/* w() */ static int w(void) { return x(0); }\n", "src/a/z.h": "int w(void);\n",
               "src/a/w.c": "int w(void) { return x(0) + y(0); }\n"}
    assert components(dependencies(planted)) == [["src/a/x", "src/a/y", "src/a/z"]]
    planted["src/a/z.c"] = ""
    assert components(dependencies(planted)) == []


def main():
    sys.setrecursionlimit(10000)
    test_planted()
    paths = [path for path in sources(".[ch]", "src", "cli", "bindings") if "build" not in path.parts]
    graph = dependencies({path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths})
    cycles = components(graph)
    print(f"cycles: {len(graph)} units, {sum(map(len, graph.values()))} dependencies, {len(cycles)} components of more "
          f"than one unit{': ' + ', '.join(str(len(c)) for c in cycles) + ' units' if cycles else ''}")
    for component in cycles:
        folder = component[0].rsplit("/", 1)[0]
        print("  " + folder + ": " + " ".join(unit.removeprefix(folder + "/") for unit in component))
        if "--edges" in sys.argv[1:]:
            for unit in component:
                for other, reason in sorted(graph[unit].items()):
                    if other in component:
                        print(f"    {unit} -> {other}: {reason}")
    return 1 if "--strict" in sys.argv[1:] and cycles else 0


if __name__ == "__main__":
    sys.exit(main())
