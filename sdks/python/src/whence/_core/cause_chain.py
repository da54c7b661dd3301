from __future__ import annotations

from whence._core import limits
from whence._core.error_fields import properties_of
from whence._core.guard import guarded
from whence._core.stack_frames import Call, calls_of
from whence._core.text import trim
from whence._core.values import Walk, module_name, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Json
    from whence._core.redact import Redaction


class Thrown:
    """One exception of a chain, as it was when it was captured."""

    __slots__ = ("calls", "message", "module", "notes", "parent", "properties", "type")

    def __init__(self, error: BaseException, parent: int | None, calls: list[Call]) -> None:
        self.type = type_name(type(error))
        self.module = module_name(type(error))
        self.message = message_of(error)
        self.parent = parent
        self.calls = calls
        self.notes: list[str] = []
        self.properties: dict[str, Json] = {}


def message_of(error: BaseException) -> str:
    """Return ``str(error)``, asked for once; what it is instead when that fails."""
    text = guarded(str, error)
    if type(text) is not str:
        return f"<{type_name(type(error))} without a message>"
    return trim(text, limits.MESSAGE_LENGTH_MAX)


def cause_chain(
    error: BaseException, redaction: Redaction, error_fields: frozenset[str], *, with_locals: bool
) -> list[Thrown]:
    """Return the exception, then its causes and the members of groups, each with its parent."""
    result: list[Thrown] = []
    seen: set[int] = set()
    waiting: list[tuple[BaseException, int | None]] = [(error, None)]
    walk = Walk.of_locals() if with_locals else None
    while waiting and len(result) < limits.EXCEPTIONS_MAX:
        current, parent = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        calls = guarded(calls_of, current.__traceback__, redaction.variables, walk)
        thrown = Thrown(current, parent, calls or [])
        thrown.properties = guarded(properties_of, current, redaction.named, error_fields) or {}
        thrown.notes = guarded(_notes_of, current) or []
        index = len(result)
        result.append(thrown)
        # Members before causes: a group's message says little without them.
        waiting[:0] = [(member, index) for member in _members_of(current)]
        cause = _cause_of(current)
        if cause is not None:
            waiting.insert(0, (cause, index))
    return result


def _cause_of(error: BaseException) -> BaseException | None:
    if error.__cause__ is not None:
        return error.__cause__
    return None if error.__suppress_context__ else error.__context__


def _members_of(error: BaseException) -> list[BaseException]:
    """Return the members of an exception group, Python's own or the backport's."""
    if not any(base.__name__ == "BaseExceptionGroup" for base in type(error).__mro__):
        return []
    members: object = guarded(getattr, error, "exceptions", ())
    if type(members) is not tuple:
        return []
    return [item for item in members if issubclass(type(item), BaseException)]


def _notes_of(error: BaseException) -> list[str]:
    notes = getattr(error, "__notes__", None)
    if type(notes) is not list:
        return []
    return [trim(note, limits.TEXT_LENGTH_MAX) for note in notes[:10] if type(note) is str]
