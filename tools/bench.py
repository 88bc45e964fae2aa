#!/usr/bin/env python3
"""Measures Graze and its peers: every workload of bench/, interleaved, on one core. Writes BUILD/results.json,
docs/benchmarks.md and its pictures. --quick: fewer pairs and passes, a table on the terminal and quick.json, no
documents. --shares: updates only the instruction shares in results.json, and the documents. --report: writes the
documents from results.json.

usage: bench.py [--quick | --shares | --report] BUILD     BUILD: of the CMake project in bench/"""
import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

import bench_growth
import bench_plots
import bench_report
import bench_shares
from layers import ROOT

# Passes over pairs; seconds of the longest; maximum number of pairs; likewise for the other programs. Growth 0: omitted.
FULL = {"passes": 11, "longest": 0.1, "pairs": 10**9, "proved": 10**9, "limit": 0.1, "growth": 7,
        "scenes": (("5", None, ("50", "500", "5000")), ("3", "graze-native,grid,bullet,fcl", ("50000",)))}
QUICK = {"passes": 5, "longest": 0.01, "pairs": 5000, "proved": 300, "limit": 0.01, "growth": 0,
         "scenes": (("1", None, ("50", "500")), ("1", "graze-native,grid,bullet,fcl", ("5000",)))}
# The Debian packages whose versions are reported.
PACKAGES = {"libccd": "libccd-dev", "FCL": "libfcl-dev", "Bullet": "libbullet-dev", "ODE": "libode-dev",
            "Box2D": "libbox2d-dev", "Chipmunk": "libchipmunk-dev", "MuJoCo (scenes)": "libmujoco-dev",
            "Google Benchmark": "libbenchmark-dev"}
# Peers without a package: CMake target, the file that pins the version, its pattern.
PINNED = {"Coal": ("coal", "requirements.txt", r"^libcoal==(\S+)"),
          "MuJoCo": ("mujoco_geoms", "requirements.txt", r"^mujoco==(\S+)"),
          "Jolt": ("jolt", "rapier/Cargo.lock", r'^name = "joltc-sys"\nversion = "(.*)"'),
          "Parry": ("parry", "parry/Cargo.lock", r'^name = "parry3d-f64"\nversion = "(.*)"')}


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, text=True, capture_output=True).stdout


def lines_of(*command):
    return [json.loads(line) for line in run(*command).splitlines()]


# ---- Machine and software

def cached(build, name):
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(encoding="utf-8"), re.M)
    return found.group(1) if found else ""


def processor():
    found = dict(re.findall(r"^([\w ]+?)\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M))
    widest = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse2", "SSE2")) if flag in found.get("flags", "").split()), "")
    kind = f", family {found['cpu family']} model {found['model']}" if "cpu family" in found else ""
    virtual = ", a virtual machine" if "hypervisor" in found.get("flags", "").split() else ""
    return f"{found.get('model name', platform.machine())}{kind}, {os.cpu_count()} processors{virtual}, {widest}"


def version_of(package):
    data = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], text=True, capture_output=True)
    return data.stdout.split("+b")[0] if data.returncode == 0 else ""


def caches():
    """{"L2": bytes} of the first processor, without instruction caches; empty if unknown."""
    found = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind, level, size = ((folder / name).read_text().strip() if (folder / name).exists() else "" for name in ("type", "level", "size"))
        if kind != "Instruction" and size.endswith("K"):
            found[f"L{level}"] = int(size.rstrip("K")) * 1024
    return found


def about(build):
    compiler = run(cached(build, "CMAKE_C_COMPILER"), "--version").splitlines()[0]
    flags = " ".join(word for word in (cached(build, "CMAKE_C_FLAGS"), cached(build, "CMAKE_C_FLAGS_RELEASE")) if word)
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    versions = {name: version_of(package) for name, package in PACKAGES.items()}
    for name, (peer, pin, pattern) in PINNED.items():
        if (build / "CMakeFiles" / f"peer_{peer}.dir").exists():
            versions[name] = re.search(pattern, (ROOT / "bench/peers" / pin).read_text(encoding="utf-8"), re.M).group(1)
    return {"processor": processor(), "system": system, "compiler": f"{compiler}, {flags}",
            "caches": caches(), "date": time.strftime("%Y-%m-%d"), "versions": {k: v for k, v in versions.items() if v}}


# ---- Rows: workload, cell, subject, ns, wrong, max_error and more

def natural(name):
    return [int(word) if word.isdigit() else word for word in re.split(r"(\d+)", name)]


def cells_of(pairs):
    names = sorted((path.stem for path in pairs.glob("*.pairs")), key=lambda name: (name.startswith("m_"), natural(name)))
    return [name for name in names if name != "nasty"] + [name for name in names if name == "nasty"]


def place_of(cell, query):
    """("W2", "32/distance") of w2_32 and distance."""
    workload, _, part = cell.partition("_")
    return workload.upper(), "/".join(filter(None, (part, query)))


def rows_of(data):
    """A row for each benchmark of a run."""
    runs, rows = {}, []
    for entry in data["benchmarks"]:
        if entry["run_type"] == "iteration":
            runs.setdefault(entry["run_name"], []).append(entry)
    for name, passes in sorted(runs.items(), key=lambda item: item[1][0]["family_index"]):
        cell, query, subject = name.split("/")[:3]
        first, scale = passes[0], {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[passes[0]["time_unit"]]
        times = sorted(scale * each["cpu_time"] / first["pairs"] for each in passes)
        medians = [each for each in data["benchmarks"]
                   if each["run_name"] == name and each.get("aggregate_name") == "median"]
        row = {"workload": cell, "cell": query, "subject": subject, "ns": scale * medians[0]["cpu_time"] / first["pairs"],
               "least_ns": times[0], "most_ns": times[-1], "passes": len(times), "pairs": int(first["pairs"])}
        if cell != "limit":
            row["workload"], row["cell"] = place_of(cell, query)
            row |= {"query": query, "truth": data["context"][f"truth of {query}"], "call": first["label"], "right": bool(first["right"]),
                    "single": bool(first["single"])}
        for key in ("queried", "unknown", "wrong", "off", "bad_normals", *(f"{k}_{i}" for k in ("wrong", "off") for i in range(10))):
            if key in first:
                row[key] = int(first[key])
        row |= {key: first[key] for key in ("max_error", "p999_error") if key in first}
        rows.append(row)
    return rows


def google(build, program, passes, *words):
    out = build / f"{program}.json"
    run(build / program, f"--benchmark_out={out}", f"--benchmark_repetitions={passes}",
        "--benchmark_enable_random_interleaving=true", *words)
    return rows_of(json.loads(out.read_text(encoding="utf-8")))


def scenes(build, how):
    rows, checked = [], []
    for passes, only, counts in how["scenes"]:
        for data in lines_of(build / "scene", "--json", "yes", "--passes", passes, *(("--only", only) if only else ()), *counts):
            if "equal" in data:
                checked.append(data)
                continue
            wrong = data["more"] + data["less"]
            rows.append({"workload": "W7", "cell": str(data["cubes"]), "subject": data["name"], "query": "scene",
                         "right": wrong == 0, "single": False, "wrong": wrong, "passes": int(passes),
                         **{k: data[k] for k in ("ns", "update_ns", "least_ns", "most_ns", "steps", "more", "less")},
                         "found": data["pairs"]})
    return rows, checked


def measure(build, how):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    pairs = build / "pairs"
    if not (pairs / "nasty.pairs").exists() or (pairs / "w1.pairs").stat().st_mtime < (build / "workloads").stat().st_mtime:
        print("making workloads", file=sys.stderr)
        pairs.mkdir(exist_ok=True)
        run(build / "workloads", pairs)
    rows = []
    for cell in cells_of(pairs):
        print(cell, end=" ", flush=True, file=sys.stderr)
        rows += google(build, "bench", how["passes"], "--longest", how["longest"], "--pairs", how["pairs"], pairs, cell)
    print("limit", end=" ", flush=True, file=sys.stderr)
    rows += google(build, "limit", how["passes"], f"--benchmark_min_time={how['limit']}", pairs)
    print("scenes", end=" ", flush=True, file=sys.stderr)
    found, checked = scenes(build, how)
    print("proofs", flush=True, file=sys.stderr)
    facts = lines_of(build / "examine", "--pairs", how["proved"], pairs, *cells_of(pairs))
    data = {"about": about(build), "rows": rows + found, "checked": checked, "facts": facts}
    if how["growth"]:
        print("growth", flush=True, file=sys.stderr)
        data["growth"] = lines_of(build / "growth", how["growth"])
        data["shares"] = bench_shares.measure(build, data["rows"])
    return data


def keep(target, results):
    target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def main():
    options, words = [w for w in sys.argv[1:] if w.startswith("-")], [w for w in sys.argv[1:] if not w.startswith("-")]
    if len(words) != 1 or len(options) > 1 or options not in ([], ["--quick"], ["--shares"], ["--report"]):
        print(__doc__, file=sys.stderr)
        return 2
    build = Path(words[0])
    target = build / ("quick.json" if options == ["--quick"] else "results.json")
    if options in ([], ["--quick"]):
        keep(target, measure(build, QUICK if options else FULL))
    results = json.loads(target.read_text(encoding="utf-8"))
    if options == ["--shares"]:
        results["shares"] = bench_shares.measure(build, results["rows"])
        keep(target, results)
    if options == ["--quick"]:
        print(bench_report.terminal(results))
        return 0
    (ROOT / "docs/benchmarks.md").write_text(bench_report.document(results) + bench_shares.section(results) + bench_growth.section(results), encoding="utf-8")
    for name, picture in [*bench_plots.pictures(results["rows"]), *bench_plots.growth_pictures(results["growth"])]:
        (ROOT / "docs/pictures" / name).write_text(picture, encoding="utf-8")
    print(bench_report.summary(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
