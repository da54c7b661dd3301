"""Writes values as Python would, without running any of the program's code.

A value is read only by the methods of the built-in type that it is, called on that type: a subclass
may have its own, so of it and of any other object only the type is written.
"""

import re
from itertools import islice

REDACTED = "[redacted]"
_DEPTH = 2
_ENTRIES = 8
_INTEGER_BITS = 256
_qualname_of = type.__dict__["__qualname__"].__get__


class ValueText:
    """Values as texts of at most a number of characters, redacted by name and without credentials where they are cut."""

    def __init__(self, redacted_names, credential_name, masked):
        self._masked = masked
        self._redacted = frozenset(redacted_names)
        self._is_credential = re.compile(credential_name).search

    def named(self, name, value):
        """Return the text of a variable; a redacted one isn't read."""
        return REDACTED if self._is_hidden(name, value) else self.of(value)

    def returned(self, name, value):
        """Return the text of what a function of this name returned."""
        is_hidden = type(value) is str and self._is_credential(name) is not None
        return REDACTED if is_hidden else self.of(value)

    def _is_hidden(self, name, value):
        if type(name) is not str:
            return False
        return name.lower() in self._redacted or (type(value) is str and self._is_credential(name) is not None)

    def of(self, value):
        return self._masked.cut(self._text(value, _DEPTH))

    def _text(self, value, depth):
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return repr(value)
        if kind is int:
            return repr(value) if value.bit_length() <= _INTEGER_BITS else "<int>"
        if kind is str:
            return repr(self._masked.cut(value))
        if kind is bytes or kind is bytearray:
            return f"<{len(value)} bytes>"
        if kind is list or kind is tuple:
            return self._items(value, kind, depth)
        if kind is dict:
            return self._pairs(value, depth)
        name = _qualname_of(kind)
        return f"<{name[:80] if type(name) is str else '?'}>"

    def _items(self, value, kind, depth):
        opening, closing = ("[", "]") if kind is list else ("(", ")")
        if depth == 0:
            return f"{opening}…{closing}"
        items = [self._text(item, depth - 1) for item in value[:_ENTRIES]]
        more = len(value) - len(items)
        return f"{opening}{', '.join([*items, *([f'… {more} more'] if more > 0 else [])])}{closing}"

    def _pairs(self, value, depth):
        if depth == 0:
            return "{…}"
        pairs = []
        for key, item in list(islice(dict.items(value), _ENTRIES)):
            text = REDACTED if self._is_hidden(key, item) else self._text(item, depth - 1)
            pairs.append(f"{self._text(key, 0)}: {text}")
        more = dict.__len__(value) - len(pairs)
        return f"{{{', '.join([*pairs, *([f'… {more} more'] if more > 0 else [])])}}}"


def cut(text, length):
    return text if len(text) <= length else text[: max(0, length - 1)] + "…"
