"""Copies of the host's values, made without running any of the host's code.

A value is read only by the methods of the built-in type that it is or derives from, called on that
type, never by an attribute, ``len``, ``isinstance``, or ``repr`` of the value: a lazy object such
as a Django QuerySet stays as it is. Of every other object, only the stored fields are read.
"""

from __future__ import annotations

import sys
from itertools import islice
from time import perf_counter

from whence._core import builtin_types, limits
from whence._core.redact import REDACTED, REDACTED_VARIABLE, FieldRules, without_key
from whence._core.text import trim
from whence._environment import is_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whence._core.event import Json

_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_module_of = type.__dict__["__module__"].__get__
_qualname_of = type.__dict__["__qualname__"].__get__
_coroutine_name_of = builtin_types.CoroutineType.__dict__["__qualname__"].__get__

#: Types of the standard library whose text is made by code of the standard library alone.
_PLAIN_TEXT = frozenset(
    (
        ("datetime", "datetime"),
        ("datetime", "date"),
        ("datetime", "time"),
        ("datetime", "timedelta"),
        ("decimal", "Decimal"),
        ("fractions", "Fraction"),
        ("uuid", "UUID"),
        ("pathlib", "PosixPath"),
        ("pathlib", "PurePosixPath"),
        ("pathlib", "WindowsPath"),
        ("pathlib._local", "PosixPath"),
        ("pathlib._local", "PurePosixPath"),
        ("pathlib._local", "WindowsPath"),
    )
)
#: The types among them that may have a time zone, and its types in the standard library.
_ZONED = ("datetime", "time")
_ZONES = frozenset((("datetime", "timezone"), ("zoneinfo", "ZoneInfo")))
#: Their own fields say nothing about a program's state.
_OPAQUE = (
    builtin_types.FunctionType,
    builtin_types.BuiltinFunctionType,
    builtin_types.MethodType,
    builtin_types.ModuleType,
    builtin_types.CodeType,
    builtin_types.FrameType,
    builtin_types.TracebackType,
    type,
)
#: The smallest integer that takes more than 4,300 digits needs this many bits (PEP 686's limit).
_INTEGER_BITS_MAX = 14_000
#: What any value costs besides its text, even an empty list.
_VALUE_CHARACTERS = 8


class Walk:
    """One budget of characters, values, and time for copying the host's values."""

    __slots__ = (
        "_deadline", "_depth", "_entries", "_is_typed", "_known", "_text", "characters",
        "values",
    )  # fmt: skip

    def __init__(
        self,
        characters: int,
        values: int,
        seconds: float,
        entries: int,
        depth: int,
        text: int,
        *,
        is_typed: bool = False,
    ) -> None:
        self.characters = characters
        self.values = values
        self._deadline = perf_counter() + seconds
        self._entries = entries
        self._depth = depth
        self._text = text
        #: Whether what JSON has no form for is written unlike a text: ``<Decimal 0.19>``.
        self._is_typed = is_typed
        #: Copies and their costs: callers and callees often have the same objects.
        self._known: dict[tuple[int, int, FieldRules], tuple[Json, int]] = {}

    @classmethod
    def of_locals(cls) -> Walk:
        """Return the budget for the local variables of one event."""
        return cls(
            limits.LOCALS_CHARACTERS_MAX,
            limits.LOCALS_VALUES_MAX,
            limits.LOCALS_TIME_MAX_S,
            limits.LOCALS_ENTRIES_MAX,
            limits.LOCALS_DEPTH_MAX,
            limits.LOCALS_TEXT_CHARACTERS_MAX,
            is_typed=True,
        )

    @classmethod
    def of_data(cls, characters: int) -> Walk:
        """Return the budget for data that the program hands over."""
        return cls(
            characters,
            characters // _VALUE_CHARACTERS,
            limits.DATA_TIME_MAX_S,
            limits.DATA_ENTRIES_MAX,
            limits.DATA_DEPTH_MAX,
            characters,
        )

    @property
    def is_spent(self) -> bool:
        """Whether nothing more fits."""
        return self.characters <= 0 or self.values <= 0

    def copy(self, value: object, rules: FieldRules) -> Json:
        """Return a value as JSON can carry it, redacted by ``rules``."""
        return self._copy(value, rules, self._depth)

    def field(self, name: str, value: object, rules: FieldRules) -> Json:
        """Return :meth:`copy` of a named value."""
        return self._field(name, value, rules, self._depth)

    def record(self, value: object, rules: FieldRules) -> dict[str, Json]:
        """Return :meth:`copy` of a mapping; an empty one for anything else.

        Its own texts were named by the program: also those of the environment are kept.
        """
        if not issubclass(type(value), dict):
            return {}
        items: Any = dict.items(value)  # type: ignore[arg-type]
        return self._pairs(items, rules, self._depth, is_given=True)

    def _field(
        self, name: str, value: Any, rules: FieldRules, depth: int, *, is_given: bool = False
    ) -> Json:
        if rules.replaces(name, value):
            return self._spend(REDACTED)
        if not is_given and type(value) is str and is_variable(name, value):
            return self._spend(REDACTED_VARIABLE)
        return self._copy(value, rules.within(name), depth)

    def _copy(self, value: Any, rules: FieldRules, depth: int) -> Json:
        self.values -= 1
        self.characters -= _VALUE_CHARACTERS
        kind = type(value)
        if value is None or kind is bool:
            return value  # type: ignore[no-any-return]
        if kind is str:
            return self._spend(value)
        if kind is int:
            return self._integer(value)
        if kind is float:
            return self._float(value)
        if self.values & 15 == 0 and perf_counter() > self._deadline:
            self.values = 0
        before = self.characters
        if before <= 0 or self.values <= 0:
            return "…"
        key = (id(value), depth, rules)
        known = self._known.get(key)
        if known is not None:
            self.characters -= known[1]
            return known[0]
        copied = self._derived(value, kind, rules, depth)
        if self.characters > 0 and self.values > 0:
            self._known[key] = (copied, before - self.characters)
        return copied

    def _derived(self, value: Any, kind: type, rules: FieldRules, depth: int) -> Json:
        if issubclass(kind, dict):
            if depth == 0:
                return f"{{{dict.__len__(value)} items}}"
            return self._pairs(dict.items(value), rules, depth)
        if issubclass(kind, (list, tuple)):
            base = list if issubclass(kind, list) else tuple
            if depth == 0:
                return f"[{base.__len__(value)} items]"
            head = base.__getitem__(value, slice(self._entries))
            return self._items(head, base.__len__(value), rules, depth)
        if issubclass(kind, (set, frozenset)):
            base_set = set if issubclass(kind, set) else frozenset
            if depth == 0:
                return f"[{base_set.__len__(value)} items]"
            head = list(islice(base_set.__iter__(value), self._entries))
            return self._items(head, base_set.__len__(value), rules, depth)
        return self._scalar(value, kind, rules, depth)

    def _scalar(self, value: Any, kind: type, rules: FieldRules, depth: int) -> Json:
        stored = _stored_dict(value, kind)
        name = None if stored is None else stored.get("_name_")
        if stored is not None and type(name) is str and "_value_" in stored:
            return self._typed("enum", f"{type_name(kind)}.{name}")
        if issubclass(kind, str):
            return self._spend(str.__getitem__(value, slice(None)))
        if issubclass(kind, int):
            return self._integer(int.__add__(value, 0))
        if issubclass(kind, float):
            return self._float(float.__add__(value, 0.0))
        if issubclass(kind, (bytes, bytearray)):
            base = bytes if issubclass(kind, bytes) else bytearray
            return f"<{base.__len__(value)} bytes>"
        if issubclass(kind, BaseException):
            return self._spend(f"<{type_name(kind)}>")
        if _is_plain(kind):
            return self._typed(type_name(kind), _plain_text(value, kind))
        return self._object(value, kind, stored, rules, depth)

    def _object(
        self, value: Any, kind: type, stored: dict[str, Any] | None, rules: FieldRules, depth: int
    ) -> Json:
        if kind is builtin_types.CoroutineType:
            return self._spend(f"<coroutine {trim(_coroutine_name_of(value), 200)}>")
        if issubclass(kind, _OPAQUE):
            named = (
                value.__name__
                if kind in (builtin_types.FunctionType, builtin_types.ModuleType)
                else None
            )
            name = f" {named}" if type(named) is str else ""
            return self._spend(f"<{type_name(kind)}{name}>")
        fields = dict(_slots(value, kind), **(stored or {}))
        if depth == 0 or not fields:
            return self._spend(f"<{type_name(kind)}>")
        return {"<type>": self._spend(type_name(kind)), **self._pairs(fields.items(), rules, depth)}

    def _pairs(
        self, pairs: Any, rules: FieldRules, depth: int, *, is_given: bool = False
    ) -> dict[str, Json]:
        result: dict[str, Json] = {}
        try:
            for index, (key, item) in enumerate(pairs):
                if index >= self._entries or self.is_spent:
                    result["…"] = f"{len(pairs) - index} more"
                    break
                name = self._spend(key if type(key) is str else self._key(key))
                result[name] = self._field(name, item, rules, depth - 1, is_given=is_given)
        except RuntimeError:
            # Another thread changes it: what was read by then is what is known.
            result["…"] = "changed while it was read"
        return result

    def _items(self, head: Any, length: int, rules: FieldRules, depth: int) -> list[Json]:
        result: list[Json] = []
        for item in head:
            if self.is_spent:
                break
            result.append(self._copy(item, rules, depth - 1))
        if len(result) < length:
            result.append(f"… {length - len(result)} more")
        return result

    def _key(self, key: object) -> str:
        kind = type(key)
        if issubclass(kind, str):
            return str.__getitem__(key, slice(None))  # type: ignore[index]
        if kind is tuple and self._is_typed:
            return f"<tuple {_tuple_text(key)}>"  # type: ignore[arg-type]
        text = _key_text(key)
        if not self._is_typed or text.startswith("<"):
            return text
        return "<None>" if key is None else f"<{type_name(kind)} {text}>"

    def _typed(self, kind: str, text: str) -> str:
        return self._spend(f"<{kind} {text}>" if self._is_typed else text)

    def _integer(self, value: int) -> Json:
        bits = value.bit_length()
        if bits <= 53:  # noqa: PLR2004 - what a JSON number of JavaScript carries exactly
            return value
        if bits >= _INTEGER_BITS_MAX:
            return f"<integer of {bits} bits>"
        return self._typed("int", str(value))

    def _float(self, value: float) -> Json:
        is_finite = value - value == 0
        return value if is_finite else self._typed("float", repr(value))

    def _spend(self, text: str) -> str:
        size = len(text)
        if size <= self._text and size <= self.characters:
            self.characters -= size
            return without_key(text)
        kept = without_key(trim(text, max(0, min(self._text, self.characters))))
        self.characters -= len(kept)
        return kept


def type_name(kind: type) -> str:
    """Return the qualified name of a type without asking its metaclass."""
    name = _qualname_of(kind)
    return trim(name, 200) if type(name) is str else "?"


def has_method(kind: type, name: str) -> bool:
    """Whether a type defines or inherits a method, without asking its metaclass."""
    return any(name in _dict_of(base) for base in _mro_of(kind))


def module_name(kind: type) -> str | None:
    """Return the module of a type without asking its metaclass; None for built-in types."""
    name = _module_of(kind)
    return None if type(name) is not str or name == "builtins" else trim(name, 200)


def _key_text(key: object) -> str:
    kind = type(key)
    if issubclass(kind, str):
        return str.__getitem__(key, slice(None))  # type: ignore[index]
    if kind in (int, float, bool, type(None)) or _is_plain(kind):
        return trim(_plain_text(key, kind), 200)
    if kind is tuple:
        return _tuple_text(key)  # type: ignore[arg-type]
    stored = _stored_dict(key, kind)
    name = None if stored is None else stored.get("_name_")
    return f"<enum {type_name(kind)}.{name}>" if type(name) is str else f"<{type_name(kind)}>"


def _tuple_text(key: tuple[object, ...]) -> str:
    shown = (repr(trim(item, 200)) if type(item) is str else _key_text(item) for item in key[:5])
    return f"({', '.join(shown)})"


def _plain_text(value: Any, kind: type) -> str:
    zone = value.tzinfo if kind.__name__ in _ZONED else None
    if zone is not None and not _is_one_of(type(zone), _ZONES):
        # Its offset would be asked of the program's code.
        return f"{value.replace(tzinfo=None)} {type_name(type(zone))}"
    try:
        return str(value)
    except ValueError:
        # An integer, or one of a fraction, with more digits than Python prints.
        return "…"


def _is_plain(kind: type) -> bool:
    return _is_one_of(kind, _PLAIN_TEXT)


def _is_one_of(kind: type, named: frozenset[tuple[str, str]]) -> bool:
    names = (_module_of(kind), _qualname_of(kind))
    if type(names[0]) is not str or names not in named:
        return False
    return getattr(sys.modules.get(names[0]), names[1], None) is kind


def _stored_dict(value: object, kind: type) -> dict[str, Any] | None:
    """Return the instance's own ``__dict__``, unless its type computes one."""
    for base in _mro_of(kind):
        found = _dict_of(base).get("__dict__")
        if found is None:
            continue
        if type(found) is not builtin_types.GetSetDescriptorType:
            return None
        stored = found.__get__(value)
        return stored if type(stored) is dict else None
    return None


def _slots(value: object, kind: type) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for base in _mro_of(kind):
        names = _dict_of(base)
        if "__slots__" not in names:
            continue
        for name, member in names.items():
            if type(member) is builtin_types.MemberDescriptorType and not name.startswith("__"):
                try:
                    result.setdefault(name, member.__get__(value))
                except AttributeError:
                    continue
    return result
