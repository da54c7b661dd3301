"""``python -m whence doctor``: what would leave a program, and whether it would arrive."""

from __future__ import annotations

import argparse
import json
import sys

from whence._doctor.canaries import value_of
from whence._doctor.delivery import check, check_delivery
from whence._doctor.report import exit_code_of, printed
from whence._doctor.run_program import run_program
from whence._doctor.sink import Sink
from whence._doctor.verdict import fates_of, near_misses_in
from whence._environment import has_color

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from whence._core.event import Json
    from whence._doctor.report import Report

_DESCRIPTION = """\
Runs your program with a canary in every channel of the client, and shows what would leave the
process. Nothing leaves this machine except an empty batch that checks the key and the address."""
_EPILOG = "Exit codes: 0 no problems found, 1 problems found, 2 the doctor could not run."


def doctor(arguments: list[str]) -> int:
    """Run the doctor; return the exit code."""
    own, command = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        own, command = arguments[:at], arguments[at + 1 :]
    settings = _parser().parse_args(own)
    sink = Sink()
    try:
        found = _examine(sink, command, settings)
    finally:
        sink.close()
    if isinstance(found, str):
        print(found, file=sys.stderr)  # noqa: T201
        return 2
    text = json.dumps(found, indent=2) if settings.json else printed(found, has_color=has_color())
    print(text)  # noqa: T201
    return exit_code_of(found)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m whence doctor",
        usage="python -m whence doctor [options] [-- command]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--watch",
        type=_seconds,
        default=0.0,
        metavar="S",
        help="keep the program running, and check its own events as well (default 0)",
    )
    parser.add_argument(
        "--wait",
        type=_seconds,
        default=15.0,
        metavar="S",
        help="how long to wait for init (default 15)",
    )
    parser.add_argument("--offline", action="store_true", help="don't contact the server")
    parser.add_argument("--send", action="store_true", help="send a test event")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError("must be a number of seconds")
    return seconds


def _examine(sink: Sink, command: list[str], settings: argparse.Namespace) -> Report | str:
    """Return the report, or why there is nothing to report on."""
    canary = value_of("process", "environment variable")
    problem = run_program(command, sink, canary, settings.wait, settings.watch)
    if problem is not None:
        return problem
    if not sink.intercepted:
        return "the client of the program sent nothing"
    first = sink.intercepted[0]
    header = {name: value for name, value in first.batch.items() if name != "events"}
    events: list[Json] = []
    for each in sink.intercepted:
        sent = each.batch["events"]
        events += sent if type(sent) is list else []
    planted = [event for event in events if "canary." in json.dumps(event)]
    delivery = (
        []
        if settings.offline
        else check_delivery(first.endpoint, first.api_key, header, is_real=settings.send)
    )
    return {
        "checks": [*delivery, *_check_header(header), _check_spool(events)],
        "canaries": fates_of(planted),
        "near_misses": near_misses_in([event for event in events if event not in planted]),
    }


def _check_header(header: Mapping[str, Json]) -> list[dict[str, Json]]:
    service, env, release = header.get("service"), header.get("env"), header.get("release")
    return [
        check("service", "warning", 'not set: call init(service="...")')
        if service == "default"
        else check("service", "ok", str(service)),
        check(
            "env",
            "ok",
            "PROD" if env == "PROD" else f"{env}: failures are stored, but not investigated",
        ),
        check("release", "warning", 'unknown: call init(release="...")')
        if release is None
        else check("release", "ok", str(release)),
    ]


def _check_spool(events: list[Json]) -> dict[str, Json]:
    """Read the client's heartbeats, which say where events are spooled."""
    state: dict[str, Json] = {}
    for event in events:
        attributes = event.get("attributes") if type(event) is dict else None
        if type(attributes) is dict:
            state = {**attributes, **state}
    folder = state.get("spool_folder")
    if folder is None:
        reason = state.get("spool_off", "no heartbeat was sent")
        return check("spool", "warning", f"in memory only: {reason}")
    if "spool_errors" in state:
        return check("spool", "warning", f"in memory only: {folder} can't be written")
    return check("spool", "ok", f"events are kept in {folder} until they are sent")
