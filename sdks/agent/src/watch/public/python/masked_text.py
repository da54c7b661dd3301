"""Masks credentials before a text is cut: what is left of one couldn't be recognized later.

Texts that aren't cut are masked where they are read.
"""

import re

_READ = 4_096
_flags = {"i": re.IGNORECASE, "m": re.MULTILINE}
#: A JSON Web Token that goes on after what was read.
_unended = re.compile(r"(?<![\w-])(?P<credential>eyJ[\w-]{8,}(?:\.[\w-]*){0,2})\Z")


class MaskedText:
    """Cuts texts at a number of characters, without the credentials of some patterns of JavaScript."""

    def __init__(self, patterns, length):
        self._patterns = [_compiled(**one) for one in patterns]
        self._length = length

    def cut(self, text):
        """Return the beginning of a text, with each credential replaced by asterisks if the text is cut."""
        if len(text) <= self._length:
            return text
        shown = text[:_READ]
        for pattern in self._patterns:
            shown = pattern.sub(_mask, shown)
        if len(text) > _READ:
            shown = _unended.sub(_mask, shown)
        return f"{shown[: self._length - 1]}…"


def _compiled(source, flags):
    """Return a pattern whose group ``credential`` is what JavaScript matches: Python looks behind fixed widths only."""
    end = _end_of_group(source) if source.startswith("(?<=") else 0
    before = f"(?:{source[4:end]}" if end else ""
    chosen = re.ASCII
    for flag in flags:
        chosen |= _flags.get(flag, 0)
    return re.compile(f"{before}(?P<credential>{source[end:]})", chosen)


def _end_of_group(source):
    depth, at, in_class = 0, 0, False
    while at < len(source):
        one = source[at]
        if one == "\\":
            at += 1
        elif in_class:
            in_class = one != "]"
        elif one == "[":
            in_class = True
        elif one in "()":
            depth += 1 if one == "(" else -1
            if depth == 0:
                return at + 1
        at += 1
    return 0


def _mask(match):
    start, end = match.span("credential")
    return f"{match.string[match.start() : start]}{'*' * (end - start)}"
