#!/usr/bin/env python3
"""Checks that names and sentences are plain technical English: that none uses a word of the project's former vocabulary.

usage: check_words.py [--summary] [--strict] [--long] [PATHS]     PATHS: files or folders; default: the whole project

--summary prints only the counts of each folder, --strict sets exit status 1 if anything was found (this is the default
if paths are given or lines are printed), and --long also lists sentences of more than 35 words.

Identifiers are split at `_` and at capital letters; each part is compared with PARTS. Sentences (comments, Markdown, and
string literals that contain a space) are compared with STEMS and STARTS. tools/words_exceptions.txt lists what may stay,
one `path-glob : word : reason` a line."""
import bisect
import collections
import fnmatch
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "cli", "bindings", "examples", "bench", "fuzz", "tests", "tools", "docs"]
DOCUMENTS = ["README.md", "LIMITS.md", "CONTRIBUTING.md", "ARCHITECTURE.md"]
EXCEPTIONS = ROOT / "tools/words_exceptions.txt"
LONG = 35

# Parts of identifiers and of file names, and the same with an s.
PARTS = set("""
room ask asked asker asking question tell told say said look looked looking put take taken drop dropped tidy tidied wait
waiting waited found way travel travelled course guest host brief note noted ahead mover meeting crossing reach reaches
home apart anchor zonotope octahedron far along approach ride rider riding claim claimed reading judge judged refuse
refused many seam flaw lane impact nobody whoever anybody included figure
""".split())
PARTS |= {word + "s" for word in PARTS}
# Two neighbouring parts.
PAIRS = {("border", "walk"), ("border", "included"), ("graze", "path"), ("grz", "two"), ("answer", "path"), ("grz", "wide"),
         ("wide", "mask"), ("wide", "double")}

# Two neighbouring parts of which the first may stay.
ORDINARY = {("approach", "speed"), ("approach", "rate"), ("approach", "velocity"), ("room", "wall"), ("wait", "time")}

# Stems of sentences; the label is what an exception names.
STEMS = {
    "ask": r"asks?|asked|asking",
    "question": r"questions?",
    "tell": r"tells?|told|telling",
    "say": r"says?|said|saying",
    "look": r"(?:looks?|looked|looking)(?!\s+up\b)",
    "nobody": r"nobody|anybody|whoever",
    "room": r"rooms?",
    "wait": r"waits?|waited|waiting",
    "judge": r"judge[sd]?|judging",
    "refuse": r"refuse[sd]?|refusing",
    "impact": r"impacts?",
    "claim": r"claims?|claimed|claiming",
    "seam": r"sea[m]s?",
    "flaw": r"fla[w]s?",
    "lane": r"lanes?",
    "guest": r"guests?",
    "host": r"hosts?",
    "meeting": r"meetings?",
    "crossing": r"crossings?",
    "tidy": r"tid(?:y|ies|ied)",
    "border walk": r"border\s+walks?",
    "border included": r"borders?\s+included",
    "zonotope": r"zonotope\s+looks?",
    "octahedron": r"octahedr(?:on|a)",
    "way": r"(?:on|the|this|that|its|their)\s+ways?(?!\s+(?:to|in\s+which)\b)"
           r"|by\s+way\s+of|way\s+out",
    "travel": r"travel(?:s|led|ling)?",
    "mover": r"movers?",
    "ride": r"rides?|riding",
    "brief": r"(?:the|a|its|of)\s+briefs?(?=[\s,.;:]+(?:of|is|are|has|and|holds)\b)",
    "course": r"(?<!of )courses?",
    "anchor": r"anchors?",
    "reach": r"(?:the|its|a|their|of)\s+reach(?:es)?",
    "home": r"(?:at|its|their|the)\s+homes?(?!\s+(?:directory|folder|page))",
    "apart": r"(?:are|is|be|they|stay|lie|when|if|being|were)\s+apart",
    "figure": r"figures?\s+(?:of\s+)?(?:a|the|bodies|body)\b",
    "personified": r"(?:answers?|stands?)\s+for\s+(?:itself|themselves)|knows?\s+nothing|know\s+nothing|would\s+have\s+it",
}
SENTENCE = re.compile("|".join(rf"(?P<w{n}>\b(?:{pattern})\b)" for n, pattern in enumerate(STEMS.values())), re.I)
LABELS = list(STEMS)
STARTS = re.compile(r"(?:What|Whoever|Whatever|Of|So\s+many|Where|Nobody)\s+(?=[\w`*(])")

# Names of languages and libraries.
EXTERNAL = re.compile(r"""
    pthread_\w+ | _mm\w* | v\w+q?_[fsu]\d+ | luaL?_\w+ | _Static_assert | std::\w+ | f?puts | aiTake\w+ | assert_\w+
  | __\w+__ | json_\w+ | MPI_\w+ | b[23]\w+ | ccd\w* | rawHost\w* | wait_for | waitFor\w* | waitUntil | location\.host
  | found | wait | take_along_axis | found_terminator | readinto | HOME | CTEST_\w+ | CMAKE_\w+ | \w+_FOUND | figure | figcaption
""", re.X)

WORD = re.compile(r"[A-Za-z_]\w*")
NAME = re.compile(r"\b(?:\w*[A-Za-z]_\w+|[a-z]+[A-Z]\w*|_\w+)\b")
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
TOKENS = {
    "c": re.compile(r"(?P<skip>^[ \t]*#[ \t]*include[^\n]*)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>" + STRING + ")", re.S | re.M),
    "js": re.compile(r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>" + STRING + r"|`(?:\\.|[^`\\])*`)", re.S),
    "py": re.compile(r'(?P<comment>\#[^\n]*|(?<![\w=(,])[rb]?"""(?s:.*?)""")|(?P<string>f?r?b?"""(?s:.*?)"""|' + STRING + ")"),
    "lua": re.compile(r"(?P<comment>--\[(?P<e>=*)\[.*?\](?P=e)\]|--[^\n]*)|(?P<string>\[(?P<f>=*)\[.*?\](?P=f)\]|" + STRING + ")", re.S),
    "hash": re.compile(r"(?P<comment>\#[^\n]*)|(?P<string>" + STRING + ")"),
    "css": re.compile(r"(?P<comment>/\*.*?\*/)", re.S),
}
LANGUAGE = {".c": "c", ".h": "c", ".cpp": "c", ".hpp": "c", ".cc": "c", ".js": "js", ".ts": "js", ".mjs": "js", ".py": "py",
            ".lua": "lua", ".rockspec": "lua", ".sh": "hash", ".cmake": "hash", ".txt": "hash", ".css": "css", ".md": "md",
            ".html": "html", ".1": "text"}
IDENTIFIERS = {"c", "js", "py", "lua"}
FENCES = {"c": "c", "cpp": "c", "lua": "lua", "python": "py", "py": "py", "js": "js", "javascript": "js"}


def blank(text):
    """Spaces of the same length, line breaks kept."""
    return re.sub(r"[^\n]", " ", text)


def parts(name):
    """The words of an identifier in lower case: grz_boxReach2 gives grz, box, reach."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def parts_found(name):
    """The words of an identifier that may not be used."""
    if EXTERNAL.fullmatch(name):
        return []
    words = parts(name)
    return [word for word, after in zip(words, words[1:] + [""]) if word in PARTS and (word, after) not in ORDINARY] + [" ".join(pair) for pair in zip(words, words[1:]) if pair in PAIRS]


class Text:
    """One file, with the findings in it: (line, label, context)."""

    def __init__(self, text):
        self.text = text
        self.breaks = [match.start() for match in re.finditer("\n", text)]
        self.findings = set()
        self.long = []

    def line(self, offset):
        return bisect.bisect_left(self.breaks, offset) + 1

    def identifiers(self, text, offset=0, pattern=WORD):
        for match in pattern.finditer(text):
            for word in parts_found(match.group()):
                self.findings.add((self.line(offset + match.start()), word, match.group()))

    def sentences(self, text, offset=0):
        """Prose whose markup is blanked: stems, first words, lengths."""
        for match in SENTENCE.finditer(text):
            label = LABELS[int(match.lastgroup[1:])]
            around = " ".join(text[max(match.start() - 25, 0):match.end() + 25].split())
            self.findings.add((self.line(offset + match.start()), label, around))
        start = 0
        for end in [m.end() for m in re.finditer(r"[.!?:](?=[\s\"'`)*]|$)|\n[ \t]*\n|\n(?=[ \t]*(?:[-*|]|\d+\.|@\w+)\s)|\s\|\s", text)] + [len(text)]:
            sentence = text[start:end]
            shift = len(sentence) - len(sentence.lstrip(" \t\n*_\"'`|>-#"))
            first = STARTS.match(sentence, shift)
            if first and len(sentence[shift:].split()) > 2 and not sentence.rstrip(" \t\n*_`)|").endswith("?"):
                self.findings.add((self.line(offset + start + shift), first.group().strip() + " …", " ".join(sentence.split())[:60]))
            if len(sentence.split()) > LONG:
                self.long.append((self.line(offset + start + shift), len(sentence.split()), " ".join(sentence.split())[:60]))
            start = end
        self.identifiers(text, offset, NAME)

    def code(self, text, language, offset=0):
        """A program: comments and strings are sentences, the remainder is identifiers."""
        rest, last, block, begin = [], 0, [], None

        def flush():
            if block:
                self.sentences("".join(block), begin)
            block.clear()

        for match in TOKENS[language].finditer(text):
            between = text[last:match.start()]
            rest.append(between)
            token, last = match.group(), match.end()
            rest.append(blank(token))
            if match.group("comment"):
                prose = re.sub(r"^[ \t]*(?:/\*+!?<?|\*+/|\*(?!\*)|//+|#+!?|--+\[?=*\[?)|\*+/$", lambda m: " " * len(m.group()), token, flags=re.M)
                prose = re.sub(r'"""', "   ", prose) if language == "py" else prose
                prose = re.sub(r"https?://\S+|\b[\w./-]+/[\w./-]*\.\w+\b", lambda m: " " * len(m.group()), prose)
                if block and between.strip() == "" and between.count("\n") <= 1:
                    block.append(between + prose)
                else:
                    flush()
                    begin = offset + match.start()
                    block.append(prose)
            else:
                flush()
                if match.groupdict().get("string") and re.search(r"[A-Za-z] +[A-Za-z]", token):
                    prose = re.sub(r"\\[nt\"']|https?://\S+", lambda m: " " * len(m.group()), token)
                    self.sentences(" " + prose[1:-1] + " ", offset + match.start())
        flush()
        rest.append(text[last:])
        if language in IDENTIFIERS:
            self.identifiers("".join(rest), offset)

    def markdown(self):
        text = self.text

        def fence(match):
            language = FENCES.get(match.group(1).lower())
            if language:
                self.code(match.group(2), language, match.start(2))
            return blank(match.group())
        prose = re.sub(r"^[ \t]*```(\w*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", fence, text, flags=re.M | re.S)
        prose = re.sub(r"<!--.*?-->", lambda m: blank(m.group()), prose, flags=re.S)

        def inline(match):
            self.identifiers(match.group(), match.start(), NAME)
            return re.sub(r"[^\n]", "x", match.group())
        prose = re.sub(r"`[^`\n]+`", inline, prose)
        prose = re.sub(r"\]\([^)\s]+\)|https?://\S+|</?\w+[^>\n]*>|\b[\w./-]+/[\w./-]*\.\w+\b", lambda m: blank(m.group()), prose)
        self.sentences(prose)

    def html(self):
        scripts = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", lambda m: blank(m.group()), self.text, flags=re.S)
        self.sentences(scripts)


def check(path, name):
    """The findings of one file as (line, label, context), and its long sentences."""
    text = Text(path.read_text(encoding="utf-8", errors="replace"))
    language = LANGUAGE[path.suffix]
    if language == "md":
        text.markdown()
    elif language == "html":
        text.html()
    elif language == "text":
        text.sentences(text.text)
    else:
        text.code(text.text, language)
    for part in re.split(r"[-.]", path.name)[:-1]:
        for word in parts_found(part):
            text.findings.add((1, word, f"the name of {name}"))
    return sorted(text.findings), text.long


def exceptions():
    """(glob, word, reason) of every line that is not a comment."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines() if EXCEPTIONS.exists() else []
    rows = [line.split(" : ", 2) for line in lines if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 3:
            sys.exit(f"{EXCEPTIONS.name}: expected `path-glob : word : reason`: {' : '.join(row)}")
    return [tuple(field.strip() for field in row) for row in rows]


def files(arguments):
    starts = [Path(argument).resolve() for argument in arguments] or [ROOT / name for name in FOLDERS + DOCUMENTS]
    for start in starts:
        for path in [start] if start.is_file() else sorted(start.rglob("*")):
            name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
            generated = name.startswith("docs/gallery/") and path.suffix == ".html" or "__pycache__" in name
            generated = generated or "build.luarocks" in name
            if path.is_file() and path.suffix in LANGUAGE and not generated:
                yield path, name


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if set(options) - {"--summary", "--strict", "--long"}:
        sys.exit(__doc__)
    summary = "--summary" in options
    allowed, used, counts, total = exceptions(), set(), collections.Counter(), 0
    for path, name in files(arguments):
        total += 1
        findings, long = check(path, name)
        for line, label, context in findings:
            hits = [row for row in allowed if fnmatch.fnmatch(name, row[0]) and row[1] in (label, context, "*")]
            used.update(hits)
            if not hits:
                counts["/".join(name.split("/")[:-1][:2]) or "."] += 1
                if not summary:
                    print(f"{name}:{line}: {label}: {context}")
        if "--long" in options:
            for line, words, context in long:
                print(f"{name}:{line}: {words} words: {context} …")
    if not arguments:
        for row in [row for row in allowed if row not in used]:
            print(f"{EXCEPTIONS.name}: nothing needs `{row[0]} : {row[1]}`")
    print(f"words: {total} files, {sum(counts.values())} to replace"
          + "".join(f"\n{number:6} {folder}" for folder, number in sorted(counts.items())))
    return 1 if counts and ("--strict" in options or not summary) else 0


if __name__ == "__main__":
    sys.exit(main())
