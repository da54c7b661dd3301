from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED = "[redacted]"
#: The replacement for a text in data with a private key, whatever its field is called.
REDACTED_KEY = "[redacted private key]"
#: The replacement for the value of a variable of the environment, wherever a copy of it is.
REDACTED_VARIABLE = "[redacted environment variable]"

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

#: The ends of a variable's name whose value is a credential, as in the runs that the agent watches:
#: ``credentialName`` of ``sdks/protocol/src/redaction.ts``.
_CREDENTIAL_ENDS = (
    *("password", "passwd", "passphrase", "pwd", "secret", "token"),
    *(
        f"{kind}{dash}key"
        for kind in ("api", "access", "private", "secret")
        for dash in ("", "_", "-")
    ),
)
#: The prefix of a request's headers among variables (RFC 3875, section 4.1.18).
_HEADER_PREFIX = "http_"


def without_key(text: str) -> str:
    """Return a text as it may leave, or what replaces one with a private key."""
    has_key = "PRIVATE KEY-----" in text or "PRIVATE KEY BLOCK-----" in text
    return REDACTED_KEY if has_key else text


class FieldRules:
    """Selects the values of a record to replace, by the name of their field."""

    __slots__ = ("_added", "_defaults", "_headers", "_is_of_variables")

    def __init__(
        self,
        defaults: frozenset[str],
        added: set[str],
        headers: FieldRules | None = None,
        *,
        is_of_variables: bool = False,
    ) -> None:
        self._defaults = defaults
        self._added = added
        self._headers = headers
        self._is_of_variables = is_of_variables

    def rule_of(self, name: str) -> str | None:
        """Return the rule that replaces the value of this field; None when it is kept."""
        lower = name.lower()
        if lower in self._defaults:
            return "default-name"
        if lower in self._added:
            return "added-name"
        return "credential-name" if self._is_of_variables and _is_credential(lower) else None

    def replaces(self, name: str, value: object) -> bool:
        """Whether the value of this field is replaced.

        That a credential is missing says why something failed.
        """
        rule = self.rule_of(name)
        is_missing = value is None or type(value) is bool or (type(value) is str and value == "")
        return rule is not None and not (rule == "credential-name" and is_missing)

    def within(self, name: str) -> FieldRules:
        """Return the rules inside this field."""
        if self._headers is not None and name.lower().endswith("headers"):
            return self._headers
        return self


def _is_credential(lower: str) -> bool:
    if lower.startswith(_HEADER_PREFIX) and lower[len(_HEADER_PREFIX) :] in REDACTED_NAMES:
        return True
    return lower.endswith(_CREDENTIAL_ENDS)


class Redaction:
    """The redaction rules of one program: the specification's names and the added ones."""

    __slots__ = ("_added", "data", "named", "variables")

    def __init__(self, added: Iterable[str] = ()) -> None:
        self._added: set[str] = set()
        #: For headers and properties of exceptions: all names.
        self.named = FieldRules(REDACTED_NAMES, self._added)
        #: For local variables: all names, and those that end like a credential's.
        self.variables = FieldRules(REDACTED_NAMES, self._added, is_of_variables=True)
        #: For data of the program: added names; inside a field named ``…headers``, all names.
        self.data = FieldRules(frozenset(), self._added, self.named)
        self.add(added)

    def add(self, names: Iterable[str]) -> None:
        """Add names, for everything recorded from now on."""
        self._added.update(name.lower() for name in names)
