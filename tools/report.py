#!/usr/bin/env python3
"""Shows Graze at work: failures that users of other libraries reported, and the examples of the texts that it
implements. Runs each query, verifies every answer by a program without solvers, compares it with the known result, and
prints a table, 120 columns wide.

usage: report.py --graze build/graze
Exit status: 0; 1 if the verifier rejects an answer or an answer is wrong; 2 if Graze does not run."""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/cases"))
import check  # the check of the test cases

PARTS = (("Examples of the texts that Graze implements", "examples/mission.jsonl"),
         ("Failures that were reported to other libraries", "tests/cases/reported.jsonl"))
PAIRS = ("intersect", "distance", "penetration", "obb", "manifold")
MOTION = ("shapecast", "toi", "raycast")
QUERIES = PAIRS + MOTION + ("aabb", "hull", "fit_box", "convexity", "decompose")
QUERY_KEYS = ("id", "dim", "query", "a", "b", "motion", "clearance", "method", "start", "filter", "trace")
WIDTHS = (17, 43, 44, 8)


def answers_of(graze, cases):
    """Graze's answer to each case, and the verdict of `graze verify` on it."""
    lines = "".join(json.dumps({k: c[k] for k in QUERY_KEYS if k in c} | {"proof": True}) + "\n" for c in cases)
    with tempfile.TemporaryDirectory() as folder:
        queries, results = Path(folder, "queries.jsonl"), Path(folder, "answers.jsonl")
        queries.write_text(lines, encoding="utf-8")
        answered = subprocess.run([graze, "query", queries], capture_output=True)
        results.write_bytes(answered.stdout)
        verified = subprocess.run([graze, "verify", "--json", queries, results], capture_output=True)
    if answered.returncode == 2 or verified.returncode == 2:
        raise OSError((answered.stderr + verified.stderr).decode())
    answers = [json.loads(line) for line in answered.stdout.splitlines()]
    return answers, [json.loads(line)["verdict"] for line in verified.stdout.splitlines()[:-1]]


def fault_of(case, answer):
    """The difference between an answer and the known result; "" if there is none."""
    expect = case["expect"]
    options = argparse.Namespace(certs=False, no_depth=False)
    try:
        if case.get("filter") is None:
            check.judge(case, answer, options, collections.Counter())
    except check.Bad as bad:
        return str(bad)
    points = [step["point"] for step in answer.get("trace", [])]
    actual = {"relation": answer.get("relation"), "trace": points, "first_point": points[:1] and points[0],
            "stop": answer.get("stop"), **{key: answer.get(key) for key in ("convex", "simple", "winding", "count")}}
    if case["query"] == "fit_box":
        key = "area" if case["dim"] == 2 else "volume"
        actual[key] = expect[key] if abs(answer[key] - expect[key]) <= case["tol"] else answer[key]
    return "; ".join(f"{key} is {actual[key]}, not {expect[key]}" for key in actual
                     if key in expect and actual[key] != expect[key])


def number(x):
    return f"{x:.12g}"


def text_of_one(answer):
    """An answer about one shape in words."""
    query = answer["query"]
    if query == "aabb":
        return f"from {answer['min']} to {answer['max']}"
    if query == "convexity":
        problems = ", ".join(problem["kind"] for problem in answer["problems"])
        return f"{'convex' if answer['convex'] else 'not convex'}, winding {answer['winding']}" + (
            f": {problems}" if problems else ", simple")
    if query == "decompose":
        return f"{answer['count']} convex pieces (at least {answer['fewest']} needed), area {number(answer['area'])}"
    sizes = ", ".join(f"{key.replace('_', ' ')} {number(answer[key])}" for key in ("area", "volume", "surface_area")
                      if key in answer)
    return sizes if query == "fit_box" else (
        f"{len(answer['vertices'])} corners in {answer['affine_dim']} dimensions, {sizes}")


def text_of_motion(answer):
    """When they meet, and how far the bounds lie from it, or how near they pass."""
    words = answer.get("result") or ("hit" if answer["hit"] else "no hit")
    lower, upper = answer["t_lower"], answer["t_upper"]
    if lower is None and "min_distance" not in answer:
        return words
    if lower is None:
        return f"{words}, never nearer than {number(answer['min_distance'][0])}"
    return f"{words} at t {number(answer['t'])}" + (f" (+{upper - lower:.1g})" if upper > lower else "")


def text_of(answer):
    """An answer in words: the relation, the distance, and how far the bounds lie from it."""
    if "error" in answer:
        return answer["error"]["message"]
    if answer["query"] in MOTION:
        return text_of_motion(answer)
    if answer["query"] not in PAIRS:
        return text_of_one(answer)
    relation, lower, upper, distance = (answer.get(k) for k in ("relation", "lower", "upper", "distance"))
    if "trace" in answer:
        points = " ".join("(" + ",".join(map(number, step["point"])) + ")" for step in answer["trace"])
        relation += f" after {points}: {answer['stop']}"
    if lower is None or upper is None or lower == upper == 0:
        return relation
    if distance is None:
        return f"{relation}, in [{number(lower)}, {number(upper)}]"
    return f"{relation}, {number(distance)} (-{distance - lower:.1g} +{upper - distance:.1g})"


def print_row(*cells):
    wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, WIDTHS)]
    for i in range(max(map(len, wrapped))):
        line = "  ".join((cell[i] if i < len(cell) else "").ljust(width) for cell, width in zip(wrapped, WIDTHS))
        print(("  " + line).rstrip())


def project_of(source):
    """("dimforge/parry", "issue 396: ") of "dimforge/parry issue 396"."""
    project, _, rest = source.partition(" ")
    return (project, rest + ": ") if "/" in project else (source, "")


def print_part(title, graze, path, totals):
    cases = [json.loads(line) for line in (ROOT / path).read_text(encoding="utf-8").splitlines()]
    for case in cases:
        if case["query"] not in QUERIES:
            totals[case["query"]] += 1
    places = [project_of(case["source"])[0] for case in cases]
    cases = sorted((case for case in cases if case["query"] in QUERIES),
                   key=lambda case: places.index(project_of(case["source"])[0]))
    print(f"{title} ({path})\n")
    print_row("case", "the query or the report", "Graze: relation, distance (interval)", "proof")
    before = None
    for case, answer, verdict in zip(cases, *answers_of(graze, cases), strict=True):
        project, place = project_of(case["source"])
        if project != before:
            print(f"\n{project}")
        before = project
        fault = fault_of(case, answer)
        if verdict == "unproven" and case["query"] not in PAIRS + MOTION:
            verdict = "-"  # answers about one shape have no certificates
        print_row(case["id"], place + case["why"], text_of(answer) + (f" WRONG: {fault}" if fault else ""), verdict)
        totals.update(["cases", verdict, "wrong" if fault else "right"])
    print()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", default=str(ROOT / "build/graze"))
    graze, totals = parser.parse_args().graze, collections.Counter()
    try:
        for title, path in PARTS:
            print_part(title, graze, path, totals)
    except OSError as trouble:
        print(f"report: {trouble}", file=sys.stderr)
        return 2
    counted = ("cases", "right", "wrong", "verified", "unproven", "-", "refused", "error")
    later = sum(totals.values()) - sum(totals[key] for key in counted)
    print(", ".join(f"{totals[key]} {key}" for key in counted if key != "-" and ( totals[key] or key in ("wrong", "refused"))) +
          f"; {later} reported cases have queries that this version does not support")
    return 1 if totals["wrong"] or totals["refused"] or totals["error"] else 0


if __name__ == "__main__":
    sys.exit(main())
