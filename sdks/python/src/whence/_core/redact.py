from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED = "[redacted]"
#: The replacement for a text in data with a private key, whatever its field is called.
REDACTED_KEY = "[redacted private key]"

#: Field names whose values never leave the process (specification, Events, rule 5). Matched
#: exactly, ignoring case.
REDACTED_NAMES = frozenset(
    (
        "password",
        "passwd",
        "secret",
        "api_key",
        "apikey",
        "token",
        "auth",
        "authorization",
        "cookie",
        "csrf",
        "session",
        "credit_card",
        "ssn",
    )
)


def without_key(text: str) -> str:
    """Return a text as it may leave, or what replaces one with a private key."""
    has_key = "PRIVATE KEY-----" in text or "PRIVATE KEY BLOCK-----" in text
    return REDACTED_KEY if has_key else text


class FieldRules:
    """Selects the values of a record to replace, by the name of their field."""

    __slots__ = ("_added", "_defaults", "_headers")

    def __init__(
        self, defaults: frozenset[str], added: set[str], headers: FieldRules | None
    ) -> None:
        self._defaults = defaults
        self._added = added
        self._headers = headers

    def rule_of(self, name: str) -> str | None:
        """Return the rule that replaces the value of this field; None when it is kept."""
        lower = name.lower()
        if lower in self._defaults:
            return "default-name"
        return "added-name" if lower in self._added else None

    def within(self, name: str) -> FieldRules:
        """Return the rules inside this field."""
        if self._headers is not None and name.lower().endswith("headers"):
            return self._headers
        return self


class Redaction:
    """The redaction rules of one program: the specification's names and the added ones."""

    __slots__ = ("_added", "data", "named")

    def __init__(self, added: Iterable[str] = ()) -> None:
        self._added: set[str] = set()
        #: For headers, properties of exceptions, and local variables: all names.
        self.named = FieldRules(REDACTED_NAMES, self._added, None)
        #: For data of the program: added names; inside a field named ``…headers``, all names.
        self.data = FieldRules(frozenset(), self._added, self.named)
        self.add(added)

    def add(self, names: Iterable[str]) -> None:
        """Add names, for everything recorded from now on."""
        self._added.update(name.lower() for name in names)
