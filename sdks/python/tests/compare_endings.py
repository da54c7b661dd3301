"""Writes docs/sdk/python/endings.md: each program of `programs/endings` with whence and with sentry-sdk.

    python3 sdks/python/tests/compare_endings.py [PROGRAM ...]

With names of programs, it prints what it would write. Runs on every Python from 3.10 on: those that WHENCE_PYTHONS names (paths, separated as in PATH),
else those on PATH. Each gets a virtual environment with sentry-sdk, in node_modules.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from gateway import Gateway
from program_runs import CASES, NEWER, run

REPOSITORY = Path(__file__).parents[3]
PAGE = REPOSITORY / "docs" / "sdk" / "python" / "endings.md"
INSTALLED = REPOSITORY / "node_modules" / ".python-endings"
REQUIREMENTS = (REPOSITORY / "bench" / "sdk-python" / "requirements.txt").read_text()
SENTRY = re.search(r"^sentry-sdk==(.*)$", REQUIREMENTS, re.MULTILINE)[1]
NAMES = ("python3.10", "python3.11", "python3.12", "python3.13", "python3.14", "python3")
#: A difference counts when it is there each time: a busy machine can make one.
ATTEMPTS = 3
#: What a server is given after the end of a program whose event is still on its way.
GRACE_S = 0.3
#: Programs that run at the same time.
PROCESSES = 3


class SentryServer:
    """Takes what sentry-sdk sends: envelopes of events."""

    def __init__(self):
        self.texts = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                chunks = self.headers.get("transfer-encoding")
                assert chunks is None, chunks
                body = self.rfile.read(int(self.headers["content-length"]))
                encoding = self.headers.get("content-encoding")
                if encoding == "gzip":
                    body = gzip.decompress(body)
                elif encoding:
                    body = zlib.decompress(body)
                server.texts += messages_in(body)
                self.send_response_only(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.dsn = f"http://k@127.0.0.1:{self._server.server_port}/1"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def messages_in(envelope):
    """Return the messages of an envelope's events."""
    found = []
    for line in envelope.splitlines():
        try:
            item = json.loads(line)
        except ValueError:
            continue
        for error in (item.get("exception") or {}).get("values", []):
            found += [error.get("value") or "", f"{error.get('type')}: {error.get('value')}"]
        entry = item.get("logentry") or {}
        found += [str(entry.get("formatted") or entry.get("message") or item.get("message") or "")]
    return [text for text in found if text]


def with_whence(name, python):
    """Return how a program ends, the messages that arrived, and those kept for the next start."""
    gateway = Gateway()
    with tempfile.TemporaryDirectory() as spool:
        variables = {"WHENCE_API_KEY": "k", "WHENCE_ENDPOINT": gateway.url, "WHENCE_SPOOL": spool}
        ended = run(name, variables, python)
        time.sleep(GRACE_S)
        kept = [
            json.loads(line).get("message", "")
            for file in Path(spool).glob("*/*.pyspool")
            for line in file.read_text().splitlines()
        ]
    sent = [event.get("message", "") for event in gateway.events("exception", "log")]
    gateway.close()
    return ended, sent, kept


def with_sentry(name, python):
    """Return how a program ends, and the messages that arrived."""
    server = SentryServer()
    ended = run(name, {"SENTRY_DSN": server.dsn}, python)
    time.sleep(GRACE_S)
    server.close()
    return ended, server.texts, []


def differences(alone, ended):
    names = ("exit code", "stdout", "stderr")
    return ", ".join(
        name for name, one, other in zip(names, alone, ended, strict=True) if one != other
    )


def outcome(start, alone, case, python):
    """Return what differs in every attempt at best, and what became of the event."""
    name, where, text = case
    best = None
    for _ in range(ATTEMPTS):
        ended, sent, kept = start(name, python)
        differs = differences(alone, ended)
        # A text that only one client makes up stands for any event.
        is_any = text.startswith("<")
        state = ""
        if where:
            state = "lost"
            if any(is_any or text in message for message in kept):
                state = "kept"
            if any(is_any or text in message for message in sent):
                state = "arrives"
        rank = (bool(differs), state == "lost")
        if best is None or rank < best[0]:
            best = (rank, differs, state)
        if not any(rank):
            break
    return best[1:]


def pythons():
    """Return each version's program, the environment of the virtual environment with sentry-sdk."""
    named = os.environ.get("WHENCE_PYTHONS")
    candidates = named.split(os.pathsep) if named else [shutil.which(name) for name in NAMES]
    found = {}
    for candidate in filter(None, candidates):
        asked = subprocess.run(
            [candidate, "-c", "import platform; print(platform.python_version())"],
            capture_output=True,
            text=True,
        )
        version = asked.stdout.strip()
        if asked.returncode == 0 and tuple(map(int, version.split(".")[:2])) >= (3, 10):
            found.setdefault(version, candidate)
    return {version: installed(version, found[version]) for version in sorted(found, key=by_number)}


def by_number(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def installed(version, python):
    folder = INSTALLED / version
    program = folder / "bin" / "python"
    if not (folder / "installed").exists():
        subprocess.run([python, "-m", "venv", folder], check=True)
        pip = [program, "-m", "pip", "install", "--quiet", f"sentry-sdk=={SENTRY}"]
        subprocess.run(pip, check=True)
        (folder / "installed").touch()
    return program


def measure(version, python, case):
    name = case[0]
    if by_number(version) < list(NEWER.get(name, (3,))):
        return None
    alone = run(name, {}, python)
    return [outcome(start, alone, case, python) for start in (with_whence, with_sentry)]


def cell(results, versions):
    """Return what holds on every Python, else what holds on which."""
    texts = {version: result for version, result in zip(versions, results, strict=True) if result}
    distinct = {}
    for version, text in texts.items():
        distinct.setdefault(text, []).append(version.rpartition(".")[0])
    if len(distinct) == 1:
        return next(iter(distinct))
    return "; ".join(f"{text} ({', '.join(on)})" for text, on in distinct.items())


def row(case, versions, results):
    cells = [f"`{case[0]}`"]
    for client in (0, 1):
        own = [result and result[client] for result in results]
        cells.append(cell([r and (f"**no**: {r[0]}" if r[0] else "yes") for r in own], versions))
        words = {"": "", "arrives": "yes", "kept": "next start", "lost": "**no**"}
        cells.append(cell([r and words[r[1]] for r in own], versions))
    return cells


def table(rows):
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    rows = [rows[0], ["-" * width for width in widths], *rows[1:]]
    return "\n".join(
        f"| {' | '.join(c.ljust(w) for c, w in zip(line, widths, strict=True))} |" for line in rows
    )


def totals(results):
    """Return, of all programs on all Pythons, how many ended the same and lost no event."""
    pairs = [result for of_case in results for result in of_case if result]
    lines = [["", "ran", "ended the same", "events due", "arrived", "at the next start", "lost"]]
    for client, name in enumerate(("whence", f"sentry-sdk {SENTRY}")):
        own = [pair[client] for pair in pairs]
        states = [state for _, state in own if state]
        counts = [len(own), sum(not differs for differs, _ in own), len(states)]
        counts += [states.count(state) for state in ("arrives", "kept", "lost")]
        lines.append([name, *map(str, counts)])
    return table(lines)


def main(names):
    found = pythons()
    if not found:
        sys.exit("no Python 3.10 or newer on PATH or in WHENCE_PYTHONS")
    cases = [case for case in CASES if not names or case[0] in names]
    results = []
    with ThreadPoolExecutor(PROCESSES) as pool:
        begun = [
            [pool.submit(measure, version, python, case) for version, python in found.items()]
            for case in cases
        ]
        for case, running in zip(cases, begun, strict=True):
            results.append([one.result() for one in running])
            print(case[0], results[-1], file=sys.stderr)
    versions = list(found)
    rows = [["program", "whence: same", "arrives", "sentry-sdk: same", "arrives"]]
    rows += [row(case, versions, of_case) for case, of_case in zip(cases, results, strict=True)]
    found_out = f"""\
## Results

Python {", ".join(versions)} on {sys.platform}, with sentry-sdk {SENTRY}.

{totals(results)}

## Each program

{table(rows)}
"""
    if names:
        print(found_out)
    else:
        begin = PAGE.read_text().partition("\n## Results")[0].rstrip()
        PAGE.write_text(f"{begin}\n\n{found_out}")


if __name__ == "__main__":
    main(sys.argv[1:])
