"""Reads C sources by regular expressions: comments and strings removed, and the functions that a file defines."""
import re
from collections import namedtuple

Function = namedtuple("Function", "name first length is_static")

BLANKED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
HEAD = re.compile(r"\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*$")  # the parameters may contain function pointers


def strip(text):
    """The text with comments, strings and characters blanked, line breaks kept."""
    return BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def functions(text):
    """Every function that the text defines: a body in braces at file level, after a parameter list."""
    depth, start, head, name = 0, 0, "", None
    in_directive = False
    for number, line in enumerate(strip(text).split("\n"), 1):
        if in_directive or line.lstrip().startswith("#"):
            in_directive = line.rstrip().endswith("\\")
            continue
        for character in line:
            if character == "{":
                if depth == 0:
                    name = HEAD.search(head) if "=" not in head else None
                    start, signature = number, head
                depth += not (depth == 0 and re.search(r"extern\s+$", head))
                head = ""
            elif character == "}":
                depth = max(depth - 1, 0)
                if depth == 0:
                    if name:
                        is_static = re.search(r"\b(static|GRZ_TEMPLATE)\b", signature) is not None
                        yield Function(name.group(1), start, number - start + 1, is_static)
                    name, head = None, ""
            elif depth == 0:
                head = "" if character == ";" else head + character
        head += "\n" if depth == 0 else ""
