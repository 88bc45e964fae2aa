"""Pictures of the results of tools/bench.py. Peers: a row per cell, a mark per contestant, time on a logarithmic axis;
marks of Graze are larger. Growth: a curve per cost on logarithmic axes."""
import math
from html import escape

import bench_growth
import bench_report

WIDTH, SIDE, TOP, ROW, LEGEND = 480, 14, 44, 36, 22
MARKS = ("circle", "square", "triangle", "diamond")
HUES = 8
LEFT, PLOT = 62, 300  # of a curve's picture: width of the axis labels, and height
STYLE = """text { font: 13px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; fill: #1f2328; }
.title { font-weight: 600; font-size: 15px; } .tick { fill: #59636e; }
.paper { fill: #ffffff; } .grid { stroke: #d1d9e0; }
.mark { stroke-width: 2; } .hollow { fill: #ffffff; }
.own { stroke: #0969da; } .own.full { fill: #0969da; }
.c0 { stroke: #bc4c00; } .c0.full { fill: #bc4c00; } .c1 { stroke: #1a7f37; } .c1.full { fill: #1a7f37; }
.c2 { stroke: #8250df; } .c2.full { fill: #8250df; } .c3 { stroke: #cf222e; } .c3.full { fill: #cf222e; }
.c4 { stroke: #9a6700; } .c4.full { fill: #9a6700; } .c5 { stroke: #bf3989; } .c5.full { fill: #bf3989; }
.c6 { stroke: #1b7c83; } .c6.full { fill: #1b7c83; } .c7 { stroke: #59636e; } .c7.full { fill: #59636e; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .tick { fill: #9198a1; } .paper, .hollow { fill: #0d1117; } .grid { stroke: #3d444d; }
.own { stroke: #58a6ff; } .own.full { fill: #58a6ff; }
.c0 { stroke: #f0883e; } .c0.full { fill: #f0883e; } .c1 { stroke: #3fb950; } .c1.full { fill: #3fb950; }
.c2 { stroke: #bc8cff; } .c2.full { fill: #bc8cff; } .c3 { stroke: #f85149; } .c3.full { fill: #f85149; }
.c4 { stroke: #d29922; } .c4.full { fill: #d29922; } .c5 { stroke: #f778ba; } .c5.full { fill: #f778ba; }
.c6 { stroke: #39c5cf; } .c6.full { fill: #39c5cf; } .c7 { stroke: #9198a1; } .c7.full { fill: #9198a1; }
}"""
CURVES = ".curve { fill: none; stroke-width: 1.5; } .fit { fill: none; stroke-width: 1.2; stroke-dasharray: 2 4; }"


def text(x, y, words, kind="", anchor="start"):
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def mark(x, y, style, right, title):
    hue, shape, size = style
    kind = f'class="mark {hue} {"full" if right else "hollow"}"'
    if shape == "circle":
        drawn = f'<circle {kind} cx="{x:.1f}" cy="{y:.1f}" r="{size}">'
    else:
        s = size
        points = {"square": ((-s, -s), (s, -s), (s, s), (-s, s)), "triangle": ((0, -s - 1), (s + 1, s), (-s - 1, s)),
                  "diamond": ((0, -s - 1.5), (s + 1.5, 0), (0, s + 1.5), (-s - 1.5, 0))}[shape]
        drawn = f'<polygon {kind} points="{" ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in points)}">'
    return f'{drawn}<title>{escape(title)}</title></{drawn[1:].split(" ")[0]}>'


def styles_of(subjects):
    """The style of a contestant in all pictures: a colour per family, the name before a hyphen."""
    families, styles = {}, {}
    for subject in subjects:
        family = families.setdefault(subject.partition("-")[0], [])
        family.append(subject)
        if subject.startswith("graze"):
            styles[subject] = "own", MARKS[(len(family) - 1) % len(MARKS)], 5.5
        else:
            number = list(families).index(subject.partition("-")[0]) - 1
            styles[subject] = f"c{number % HUES}", MARKS[(len(family) - 1 + number) % len(MARKS)], 3.6
    return styles


def ticks(low, high):
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        for digit in (1, 3):
            if low <= digit * 10**power <= high:
                yield digit * 10**power


def short(x):
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if x >= size:
            return f"{x / size:g}{unit}"
    return f"{x:g}"


def legend(subjects, styles, top):
    """The legend in lines of the width of the picture, and its height."""
    parts, x, y = [], SIDE, top
    for subject in subjects:
        wide = 26 + 7.6 * len(subject)
        if x + wide > WIDTH - SIDE:
            x, y = SIDE, y + LEGEND
        parts += [mark(x + 6, y - 4.5, styles[subject], True, subject), text(x + 16, y, subject)]
        x += wide
    return parts, y


def picture(title, cells, styles):
    """cells: [(name, rows)]"""
    times = [row["ns"] for _, rows in cells for row in rows]
    low, high = min(times) / 1.15, max(times) * 1.15
    place = lambda ns: SIDE + (WIDTH - 2 * SIDE) * math.log(ns / low) / math.log(high / low)  # noqa: E731
    bottom = TOP + ROW * len(cells)
    parts = [text(SIDE, 26, title, "title")]
    for tick in ticks(low, high):
        parts += [f'<line class="grid" x1="{place(tick):.1f}" y1="{TOP}" x2="{place(tick):.1f}" y2="{bottom}"/>',
                  text(place(tick), bottom + 16, short(tick), "tick", "middle")]
    for i, (name, rows) in enumerate(cells):
        y = TOP + ROW * i
        parts += [f'<line class="grid" x1="{SIDE}" y1="{y}" x2="{WIDTH - SIDE}" y2="{y}"/>', text(SIDE, y + 14, name)]
        for row in sorted(rows, key=bench_report.is_peer):
            label = f"{row['subject']}: {bench_report.figure(row['ns'])} ns{'' if row['right'] else ', wrong'}"
            parts.append(mark(place(row["ns"]), y + 25, styles[row["subject"]], row["right"], label))
    names = [name for name in styles if any(row["subject"] == name for _, rows in cells for row in rows)]
    below, y = legend(names, styles, bottom + 42)
    return page(title, y + 14, [*parts, *below])


def page(title, height, parts, style=STYLE):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="640" viewBox="0 0 {WIDTH} {height:g}" role="img">',
                      f"<title>{escape(title)}</title>", f"<style>\n{style}\n</style>",
                      f'<rect class="paper" width="{WIDTH}" height="{height:g}"/>', *parts, "</svg>\n"])


def axis(values, start, end):
    """The map from a value to its position on a logarithmic axis, and the powers of ten on the axis."""
    low, high = min(values) / 1.25, max(values) * 1.25
    powers = [10.0**power for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]
    return lambda value: start + (end - start) * math.log(value / low) / math.log(high / low), powers


def growth(title, what, series):
    """series: {name: rows}; `what` of a row is drawn above its n."""
    across, sizes = axis([row["n"] for rows in series.values() for row in rows], LEFT, WIDTH - SIDE)
    up, costs = axis([row[what] for rows in series.values() for row in rows], TOP + PLOT, TOP)
    label = bench_growth.duration if what == "ns" else bench_growth.amount
    styles = {f"{name} ~ n^{bench_growth.exponent(rows, what):.1f}": ("own" if i == 0 else f"c{i - 1}", MARKS[i % len(MARKS)], 3.6)
              for i, (name, rows) in enumerate(series.items())}
    parts = [text(SIDE, 26, title, "title")]
    for n in sizes:
        parts += [f'<line class="grid" x1="{across(n):.1f}" y1="{TOP}" x2="{across(n):.1f}" y2="{TOP + PLOT}"/>',
                  text(across(n), TOP + PLOT + 16, short(n), "tick", "middle")]
    for cost in costs:
        parts += [f'<line class="grid" x1="{LEFT}" y1="{up(cost):.1f}" x2="{WIDTH - SIDE}" y2="{up(cost):.1f}"/>',
                  text(LEFT - 6, up(cost) + 4, label(cost), "tick", "end")]
    for style, (name, rows) in zip(styles.values(), series.items()):
        slope, height = bench_growth.line(rows, what)
        straight = [(row["n"], math.exp(height + slope * math.log(row["n"]))) for row in bench_growth.ends(rows)]
        for kind, points in (("fit", straight), ("curve", [(row["n"], row[what]) for row in rows])):
            places = " ".join(f"{across(n):.1f},{up(cost):.1f}" for n, cost in points)
            parts.append(f'<polyline class="{kind} {style[0]}" points="{places}"/>')
        parts += [mark(across(row["n"]), up(row[what]), style, True, f"{name}, {row['n']:,}: {label(row[what])}") for row in rows]
    below, y = legend(styles, styles, TOP + PLOT + 42)
    return page(title, y + 14, [*parts, *below], f"{STYLE}\n{CURVES}")


def pictures(rows):
    """(file name, SVG) per query."""
    rows = [row for row in bench_report.without_matrix(rows) if row["workload"] != "limit" and row["subject"] != "graze-native" and not row["single"]]
    styles = styles_of(bench_report.unique(row["subject"] for row in rows))
    places = bench_report.by_place(rows)
    for query, title in bench_report.PICTURES.items():
        cells = []
        for (workload, _), members in places.items():
            if members[0]["query"] == query:
                part = members[0]["cell"].removesuffix(query).rstrip("/")
                cells.append((f"{workload} {part}" if query != "scene" else f"{part} cubes", members))
        if cells:
            yield f"bench-{query}.svg", picture(title, cells, styles)


def growth_pictures(rows):
    """(file name, SVG) per kind of cost; the names include the exponents."""
    found = bench_growth.curves(rows)
    for name, (title, what, chosen) in bench_growth.PICTURES.items():
        yield f"bench-growth-{name}.svg", growth(title, what, {label: found[curve] for curve, label in chosen.items()})
