"""The table of `make mutants`: build/mutants-LABEL.md. tests/mutants/survivors.json holds the class of each survivor:
id -> {"class": equivalent|performance|missing test, "reason": …}."""
import collections
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SURVIVORS = ROOT / "tests/mutants/survivors.json"


def table(title, groups):
    rows = [f"| {title} | viable | killed | of these by timeout | survived | of these golden hash changed | score |",
            "|---|---|---|---|---|---|---|"]
    for name, results in groups:
        count = collections.Counter(r["result"] for r in results)
        killed = count["killed"] + count["timeout"]
        golden = sum(bool(r.get("golden")) for r in results)
        rows.append(f"| {name} | {len(results)} | {killed} | {count['timeout']} | {count['survived']} | {golden} | "
                    f"{100 * killed / max(len(results), 1):.0f} % |")
    return rows


def write(label, count, state, key, mutated):
    results = [r for r in state if r["result"] != "not viable"][:count]
    verdicts = json.loads(SURVIVORS.read_text()) if SURVIVORS.exists() else {}

    def grouped(of):
        return [(name, [r for r in results if of(r) == name]) for name in sorted({of(r) for r in results})]
    survivors = sorted((r for r in results if r["result"] == "survived"), key=lambda r: (r["file"], r["line"]))
    classes = collections.Counter(verdicts.get(r["id"], {}).get("class", "not classified") for r in survivors)
    text = [f"# Mutation tests: {label}", "",
            f"`make mutants` changes one place of the library at a time and runs the quick tier until a test fails. This table shows "
            f"{len(results)} viable mutants of {count}. The sample is fixed (tests/mutants/sample.jsonl): it is uniform over "
            f"the viable mutants of {', '.join(mutated)}. The rules of the operators are in tests/mutants/c.rules.", "",
            "Tests of bindings, packages, documents and pages are not run. A test is skipped for a mutant if gcov shows that it does "
            "not execute the line, and only C files are mutated, not headers. The golden hash detects changes; it does not count as a kill and runs for survivors only. "
            f"Sources and tests: {key}.", ""]
    text += table("folder", grouped(lambda r: "/".join(r["file"].split("/")[:2])) + [("all", results)]) + [""]
    text += table("operator", grouped(lambda r: r["operator"])) + ["", "## Survivors", ""]
    same = classes["equivalent"] + classes["performance"]
    killed = len(results) - len(survivors)
    text += [f"{killed} of {len(results)} viable mutants are killed ({100 * killed / max(len(results), 1):.0f} %). Without the {same} survivors "
             f"that change no answer, by argument or by the search named (classes equivalent and performance), {100 * killed / max(len(results) - same, 1):.0f} % are killed.", ""]
    by_counts = sum(r["result"] == "killed" and r["by"] == "bench/instructions" for r in results)
    text += [f"bench/instructions killed {by_counts} of them. It compares the instruction counts of fixed queries with recorded counts, "
             "so it detects mutants that only cost time.", ""]
    text += ["Classes: " + (", ".join(f"{name} {n}" for name, n in sorted(classes.items())) or "no survivors") + ".", ""]
    text += ["| place | original | mutated | tests | golden | class | reason |", "|---|---|---|---|---|---|---|"]
    for r in survivors:
        code = [r[k].replace("|", "\\|") for k in ("original", "mutated")]
        verdict = verdicts.get(r["id"], {"class": "not classified", "reason": ""})
        text.append(f"| {r['file']}:{r['line']} ({r['id']}) | `{code[0]}` | `{code[1]}` | {r['tests']} | "
                    f"{'changed' if r.get('golden') else 'same'} | {verdict['class']} | {verdict['reason']} |")
    (ROOT / f"build/mutants-{label}.md").write_text("\n".join(text) + "\n")
    print(f"{killed} of {len(results)} viable mutants killed; build/mutants-{label}.md")
