from __future__ import annotations

from whence._core.text import trim

_STATEMENT_CHARACTERS_MAX = 1_024
_CACHED_MAX = 200
#: Systems in which a text in double quotes is a name. In MySQL and others, it is a value.
_WITH_QUOTED_NAMES = frozenset(
    ("postgresql", "cockroachdb", "redshift", "sqlite", "oracle", "mssql", "microsoft")
)
_MYSQL = frozenset(("mysql", "mariadb"))
_NAME = (
    r"`(?:[^`]|``)*`(?!`)|\$\d{1,5}(?![\w$])|%\(\w+\)s|%s"
    r"|:\w+|[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*"
)
_QUOTED_NAME = r"\"(?:[^\"]|\"\")*\"(?!\")"
_QUOTED_TEXT = r"\"(?:[^\"\\]|\\\\|\\[^\"\\]|\"\")*\"(?!\")"
_TEXT = r"'(?:[^'\\]|\\\\|\\[^'\\]|'')*'(?!')"
_DOLLAR_TEXT = r"\$(?P<tag>(?:[A-Za-z_][\w]*)?)\$[\s\S]*?\$(?P=tag)\$"
_LINE_COMMENT = r"--[^\n\r]*"
_MYSQL_LINE_COMMENT = r"--(?=\s|$)[^\n\r]*|\#[^\n\r]*"
_BLOCK_COMMENT = r"/\*(?:(?!/\*)[\s\S])*?\*/"
#: A text whose end can't be known takes the rest.
_OPEN = r"['\"`][\s\S]*|/\*[\s\S]*|\$(?:[A-Za-z_]\w*)?\$[\s\S]*"
_NUMBER = r"(?:\d|\.\d)[\w.]*"
_shapes: dict[tuple[str, str], str] = {}


def statement_shape(statement: str, system: str) -> str:
    """Return a statement without values and comments: ``SELECT * FROM users WHERE id = ?``.

    Where the end of a value is ambiguous, the rest is left out, so that no literal survives.
    """
    known = _shapes.get((system, statement))
    if known is not None:
        return known
    shape = _shape_of(statement, system)
    if len(statement) <= _STATEMENT_CHARACTERS_MAX:
        if len(_shapes) >= _CACHED_MAX:
            _shapes.clear()
        _shapes[system, statement] = shape
    return shape


def _shape_of(statement: str, system: str) -> str:
    import re

    def shown(token: re.Match[str]) -> str:
        return "?" if token[2] is not None else token[1] or " "

    read = statement[:_STATEMENT_CHARACTERS_MAX]
    shape = re.sub(_tokens_of(system), shown, read).strip()
    if len(read) == len(statement):
        return shape
    return f"{shape}… [trimmed {len(statement) - len(read)} characters]"


def _tokens_of(system: str) -> str:
    """Return a pattern of what is kept, of comments and space, and of values."""
    has_quoted_names = system in _WITH_QUOTED_NAMES
    is_mysql = system in _MYSQL
    kept = [_QUOTED_NAME, _NAME] if has_quoted_names else [_NAME]
    comments = [_MYSQL_LINE_COMMENT if is_mysql else _LINE_COMMENT, _BLOCK_COMMENT, r"\s"]
    values = [
        *([] if has_quoted_names else [_QUOTED_TEXT]),
        *([] if is_mysql else [_DOLLAR_TEXT]),
        *(_TEXT, _OPEN, _NUMBER),
    ]
    return f"({'|'.join(kept)})|(?:{'|'.join(comments)})+|({'|'.join(values)})"


def operation_of(statement: str) -> str | None:
    """Return the first word of a statement, such as ``SELECT``."""
    words = statement.split(None, 1)
    word = trim(words[0], 20).upper() if words else ""
    return word if word.isalpha() else None
