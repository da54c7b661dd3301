"""The doctor's report as text."""

from __future__ import annotations

import json
import textwrap

from whence._doctor.canaries import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from whence._core.event import Json

    Report: TypeAlias = dict[str, list[dict[str, Json]]]

_MARKS = {"ok": ("✓", 32), "warning": ("!", 33), "failed": ("✗", 31)}
_LINE_CHARACTERS = 100


def exit_code_of(report: Report) -> int:
    """Return 0 when no problems were found, else 1."""
    is_fine = (
        all(check["outcome"] == "ok" for check in report["checks"])
        and not _leaving(report, "header")
        and not report["near_misses"]
    )
    return 0 if is_fine else 1


def printed(report: Report, *, has_color: bool) -> str:
    """Return the report as text."""
    mark = _Marks(has_color=has_color)
    lines = ["Delivery"]
    lines += [
        f"  {mark(str(check['outcome']))} {check['name']}: {check['detail']}"
        for check in report["checks"]
    ]
    lines += ["", "What stays in the process"]
    lines += _wrapped([_label(fate) for fate in report["canaries"] if not fate["leaves"]])
    lines += ["", "What would leave the process unchanged"]
    texts = [name for channel in ("text", "url", "process") for name in _leaving(report, channel)]
    lines += _wrapped(texts)
    lines.append("    These are free text: use before_send to change them.")
    headers = _leaving(report, "header")
    if headers:
        option = "set redact=whence.CREDENTIAL_HEADERS"
        lines.append(f"  {mark('warning')} {len(headers)} credential headers: {option}")
        lines += _wrapped(headers)
    else:
        lines.append(f"  {mark('ok')} no credential header would leave")
    fields = list(dict.fromkeys(name for channel in FIELDS for name in _leaving(report, channel)))
    if fields:
        lines.append(
            '  fields with these names, if your program has them: set redact=["name", ...]'
        )
        lines += _wrapped(fields)
    if report["near_misses"]:
        names = ", ".join(json.dumps(miss["name"]) for miss in report["near_misses"])
        says = "fields of your program that sound like secrets"
        lines.append(f"  {mark('warning')} {says}: set redact=[{names}]")
        lines += [f"    {miss['path']}" for miss in report["near_misses"]]
    return "\n".join([*lines, ""])


class _Marks:
    def __init__(self, *, has_color: bool) -> None:
        self._has_color = has_color

    def __call__(self, outcome: str) -> str:
        sign, color = _MARKS[outcome]
        return f"\x1b[{color}m{sign}\x1b[0m" if self._has_color else sign


def _leaving(report: Report, channel: str) -> list[str]:
    return [
        str(fate["name"])
        for fate in report["canaries"]
        if fate["channel"] == channel and fate["leaves"]
    ]


def _label(fate: dict[str, Json]) -> str:
    is_text = fate["channel"] in ("text", "url", "process")
    return str(fate["name"]) if is_text else f"{fate['channel']} {fate['name']}"


def _wrapped(words: list[str]) -> list[str]:
    # A name has no break inside.
    text = ", ".join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in words)
    lines = textwrap.wrap(
        text,
        _LINE_CHARACTERS,
        initial_indent="    ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
