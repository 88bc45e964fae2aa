"""How cost grows with the work, in words: a section of docs/benchmarks.md. Its rows are those of bench/growth; exponents
are slopes of straight lines through them, on logarithmic axes, by least squares; beside them the slope at the end."""
import math

from bench_report import figure, table

# Where the lines begin: below, what a query costs whatever its size still counts.
FIT_HULLS, FIT_SCENES = 1024, 10000
COLUMNS = (4, 16, 64, 256, 1024, 4096, 16384, 65536)
HULLS = 8  # of each size, in bench/growth.c
LIST_BYTES = 24  # of a vertex

# Title, what is drawn of a row, curves with their names.
PICTURES = {
    "support": ("Support points and half-spaces, by vertices", "ns",
                {name: name for name in ("support, scanned", "support, climbed", "half-space, lists")}),
    "pairs": ("Distance and depth, by vertices of each hull", "ns",
              {name: name for name in ("distance, lists", "distance, hulls", "depth, lists", "depth, hulls")}),
    "making": ("Making a hull, by points", "ns", {"making, sphere": "on a sphere", "making, cube": "in a cube"}),
    "scene": ("A step of a scene, by cubes", "ns", {"scene": "step"}),
    "memory": ("Memory, by vertices or cubes", "bytes", {"making, sphere": "a hull", "scene": "a scene"}),
}


def curves(rows):
    """{curve: its rows}, in their order: by size."""
    found = {}
    for row in rows:
        found.setdefault(row["curve"], []).append(row)
    return found


def fitted(rows):
    least = FIT_SCENES if rows[0]["curve"] == "scene" else FIT_HULLS
    return [row for row in rows if row["n"] >= least]


def line(rows, what="ns"):
    """(slope, height) of the line through the logarithms of size and cost."""
    x, y = ([math.log(row[key]) for row in fitted(rows)] for key in ("n", what))
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return slope, mean_y - slope * mean_x


def exponent(rows, what="ns"):
    return line(rows, what)[0]


def last_slope(rows, what="ns"):
    """Between the last two sizes."""
    before, last = rows[-2:]
    return math.log(last[what] / before[what]) / math.log(last["n"] / before["n"])


# ---- Tables

def scaled(x, units):
    size, unit = next((each for each in units if x >= each[0]), units[-1])
    return f"{figure(x / size)} {unit}"


def duration(ns):
    return scaled(ns, ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")))


def amount(size):
    return scaled(size, ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1, "bytes")))


def times(found):
    lines = []
    for name, rows in found.items():
        if name != "scene":
            by_size = {row["n"]: duration(row["ns"]) for row in rows}
            lines.append([name, *(by_size.get(n, "") for n in COLUMNS), f"{exponent(rows):.1f}", f"{last_slope(rows):.1f}"])
    return table(["", *(f"{n:,}" for n in COLUMNS), "exponent", "at the end"], lines)


def hulls(rows):
    lines = [[f"{row['n']:,}", f"{row['bytes']:,.0f}", figure(row["bytes"] / row["n"]), f"{row['most_bytes']:,}",
              figure(row["most_bytes"] / row["n"])] for row in rows if row["n"] in COLUMNS]
    return table(["vertices", "bytes", "of a vertex", "while it is made", "of a vertex"], lines)


def scenes(rows):
    lines = [[f"{row['n']:,}", duration(row["ns"]), figure(row["ns"] / row["n"]), f"{row['pairs'] / row['n']:.2f}",
              f"{row['events'] / row['n']:.2f}", f"{row['bytes']:,}", f"{row['bytes'] / row['n']:,.0f}"] for row in rows]
    return table(["cubes", "step", "ns of a cube", "pairs of bounds", "events", "bytes", "of a body"], lines)


# ---- Why: each curve in a sentence

def ends(rows):
    """The first and the last size of the line."""
    chosen = fitted(rows)
    return chosen[0], chosen[-1]


def each(row, what="ns"):
    return row[what] / row["n"]


def why_scanned(found):
    rows = found["support, scanned"]
    best, last = min(rows, key=each), rows[-1]
    return (f"All vertices are looked at: {figure(each(best))} ns for a vertex at {best['n']:,}, and {figure(each(last))} at {last['n']:,}, where the "
            f"{HULLS} lists take {amount(HULLS * LIST_BYTES * last['n'])} and come from farther caches, which is what the exponent has beyond 1.")


def why_climbed(found):
    first, last = ends(found["support, climbed"])
    small, large = ends(found["making, sphere"])
    return (f"A climb looks at {first['steps']:.1f} vertices of {first['n']:,} and at {last['steps']:.1f} of {last['n']:,}, as there is a seed for every four vertices or "
            f"so: that is no power of n. What grows is the time to fetch them, in {HULLS} hulls of {amount(HULLS * small['bytes'])} and of {amount(HULLS * large['bytes'])}. Questions climb at each step; none asks for a support point alone.")


def why_ground(found):
    first, last = found["half-space, lists"][0], found["half-space, lists"][-1]
    return (f"A query takes {duration(first['ns'])} of {first['n']} vertices, and {figure((last['ns'] - first['ns']) / last['n'])} ns go to each of {last['n']:,}, all of which are looked at twice: "
            "for the deepest, and for whether another may be as deep. What else it takes, some exact arithmetic, does not grow.")


def why_lists(found):
    first, last = ends(found["distance, lists"])
    share = [2 * row["steps"] * scan["ns"] / row["ns"] for row, scan in zip((first, last), ends(found["support, scanned"]))]
    return (f"GJK takes {first['steps']:.1f} steps at {first['n']:,} and {last['steps']:.1f} at {last['n']:,}, and each looks at all vertices of both: scanned support points, two "
            f"for a step, would take {share[0]:.2f} and {share[1]:.2f} of the time. So it grows as they do; the two lists of a query leave a cache at larger sizes than all {HULLS} by turns, and then at once.")


def why_hulls(found):
    first, last = ends(found["distance, hulls"])
    scans = [row["ns"] / scan["ns"] for row, scan in zip((first, last), ends(found["support, scanned"]))]
    return (f"The steps climb, and at the end all vertices of both are looked at, along the one or two directions that the answer relies on. So a query takes as long as {scans[0]:.1f} scanned support "
            f"points at {first['n']:,} and as {scans[1]:.1f} at {last['n']:,}, where climbs count for less and the scans remain: the exponent tends to theirs. It is {last['ns'] / found['distance, lists'][-1]['ns']:.2f} of what lists take.")


def why_depth(found):
    rows = found["depth, hulls"]
    first, last = ends(rows)
    doubled = (last["steps"] - first["steps"]) / math.log2(last["n"] / first["n"])
    ended = last["stopped"] / last["queries"]
    return (f"EPA does not climb, so lists and hulls are as slow: each of {first['steps']:.0f} steps at {first['n']:,} and {last['steps']:.0f} at {last['n']:,} looks at all vertices of both. It goes on down to a facet of "
            f"A − B, and these become smaller: some {doubled:.0f} steps more whenever vertices double. Scans grow by {exponent(found['support, scanned']):.1f} and steps by {exponent(rows, 'steps'):.1f}, but what a step has to do with faces does not. "
            f"{100 * ended:.1g} % of the largest ended earlier, with the 256 points that they have room for.")


def why_sphere(found):
    first, last = ends(found["making, sphere"])
    return (f"A point takes {duration(each(first))} at {first['n']:,} and {duration(each(last))} at {last['n']:,}: its faces and their exact area are the same work in any hull; the way of waiting points from "
            f"face to face grows like log n, and memory from {amount(first['most_bytes'])} to {amount(last['most_bytes'])}.")


def why_cube(found):
    first, last = ends(found["making, cube"])
    share = [100 * row["steps"] * each(whole) / row["ns"] for row, whole in zip((first, last), ends(found["making, sphere"]))]
    return (f"{first['steps']:.0f} of {first['n']:,} points are vertices of the hull, and {last['steps']:.0f} of {last['n']:,}. At the price of those on a sphere they take {share[0]:.0f} % and {share[1]:.0f} % of the time, and most "
            "others only have to be found inside; so the mean point becomes cheaper, until those make up all of the time and the exponent is 1.")


def why_scene(found):
    first, last = ends(found["scene"])
    return (f"Of pairs of bounds there are {each(first, 'pairs'):.2f} for a cube among {first['n']:,} and {each(last, 'pairs'):.2f} among {last['n']:,}, as fewer stand at a wall. A cube takes {each(first):.0f} and {each(last):.0f} ns, and most "
            f"of the difference is memory, {amount(first['bytes'])} and {amount(last['bytes'])}: [measurements.md](measurements.md#scenes) has counted what misses the caches.")


def why_hull_bytes(found):
    row = found["making, sphere"][-1]
    return (f"{each(row, 'bytes'):.1f} bytes for a vertex: 24 of coordinates, 12 of its places in the input and among the edges, 56 of two faces with six corners and of six neighbours, 1 of "
            "seeds for climbing.")


def why_scene_bytes(found):
    sizes = [each(row, "bytes") for row in fitted(found["scene"])]
    return f"{min(sizes):,.0f} to {max(sizes):,.0f} bytes for a body from {FIT_SCENES:,} cubes on: arrays become half as large again when they are full, and are more or less full here."


WHY = (("support, scanned", "ns", why_scanned), ("support, climbed", "ns", why_climbed), ("half-space, lists", "ns", why_ground),
       ("distance, lists", "ns", why_lists), ("distance, hulls", "ns", why_hulls), ("depth, hulls", "ns", why_depth),
       ("making, sphere", "ns", why_sphere), ("making, cube", "ns", why_cube), ("scene", "ns", why_scene),
       ("making, sphere", "bytes", why_hull_bytes), ("scene", "bytes", why_scene_bytes))

INTRO = """
## Cost as work grows

`build/bench/growth`. *lists*: n points on a sphere, all of them vertices, {hulls} such lists of each size; *hulls*: the same as `graze_hull_create()` makes them, with edges, which are climbed from 1024 vertices on. Random queries, up to 8192 of them: a support point, by a scan and by a climb; the distance from a half-space; the distance of pairs that
are apart, the depth of pairs that overlap. *making*: `graze_hull_create()` itself, of points on a sphere and in a cube. Processor time of a query, the median of {passes} passes through all sizes. *scene*: a step of cubes as large and as close as those of W7, in a run of its own, the median of {least} to {most} of them. The exponent is the slope of the straight line through the sizes from {fit_hulls:,} vertices or {fit_scenes:,} cubes on, by least squares on logarithmic axes, dotted in the pictures; *at the end*, between the last two sizes measured, of which each is twice the one before; the table shows every other one. Either may differ by 0.1 in another run. {caches}Memory is what an allocator that counts was queried for.

"""


def section(results):
    rows, found = results["growth"], curves(results["growth"])
    caches = ", ".join(f"{scaled(size, ((2**20, 'MiB'), (2**10, 'KiB')))} of {name}" for name, size in results["about"]["caches"].items())
    steps = [row["passes"] for row in found["scene"]]
    text = INTRO.format(hulls=HULLS, passes=max(row["passes"] for row in rows if row["curve"] != "scene"), least=min(steps), most=max(steps),
                        fit_hulls=FIT_HULLS, fit_scenes=FIT_SCENES, caches=f"Caches: {caches}. " if caches else "")
    text += "".join(f"![{title}](pictures/bench-growth-{name}.svg)\n\n" for name, (title, _, _) in PICTURES.items())
    text += times(found) + "\n"
    for name, what, why in WHY:
        head = {"bytes": "memory, ", "ns": ""}[what] + (name if what == "ns" else PICTURES["memory"][2][name])
        text += f"- **{head}: {exponent(found[name], what):.1f}, at the end {last_slope(found[name], what):.1f}.** {why(found)}\n"
    return text + "\n" + scenes(found["scene"]) + "\nMemory of a hull:\n\n" + hulls(found["making, sphere"])
