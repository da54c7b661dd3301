from __future__ import annotations

from whence._core.text import trim

_STATEMENT_CHARACTERS_MAX = 1_024
_CACHED_MAX = 200
#: What is kept, comments and space, and values. A text whose end can't be known takes the rest.
_TOKENS = (
    r"(\"(?:[^\"]|\"\")*\"(?!\")|`(?:[^`]|``)*`(?!`)|\$\d{1,5}(?![\w$])|%\(\w+\)s|%s"
    r"|:\w+|[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*)"
    r"|(?:--[^\n\r]*|/\*(?:(?!/\*)[\s\S])*?\*/|\s)+"
    r"|('(?:[^'\\]|\\\\|\\[^'\\]|'')*'(?!')"
    r"|\$(?P<tag>(?:[A-Za-z_][\w]*)?)\$[\s\S]*?\$(?P=tag)\$"
    r"|['\"`][\s\S]*|/\*[\s\S]*|\$(?:[A-Za-z_]\w*)?\$[\s\S]*"
    r"|(?:\d|\.\d)[\w.]*)"
)
_shapes: dict[str, str] = {}


def statement_shape(statement: str) -> str:
    """Return a statement without values and comments: ``SELECT * FROM users WHERE id = ?``.

    Where the end of a value is ambiguous, the rest is left out, so that no literal survives.
    """
    known = _shapes.get(statement)
    if known is not None:
        return known
    shape = _shape_of(statement)
    if len(statement) <= _STATEMENT_CHARACTERS_MAX:
        if len(_shapes) >= _CACHED_MAX:
            _shapes.clear()
        _shapes[statement] = shape
    return shape


def _shape_of(statement: str) -> str:
    import re

    def shown(token: re.Match[str]) -> str:
        return "?" if token[2] is not None else token[1] or " "

    read = statement[:_STATEMENT_CHARACTERS_MAX]
    shape = re.sub(_TOKENS, shown, read).strip()
    if len(read) == len(statement):
        return shape
    return f"{shape}… [trimmed {len(statement) - len(read)} characters]"


def operation_of(statement: str) -> str | None:
    """Return the first word of a statement, such as ``SELECT``."""
    words = statement.split(None, 1)
    word = trim(words[0], 20).upper() if words else ""
    return word if word.isalpha() else None
