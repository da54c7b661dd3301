from __future__ import annotations

import os
import shutil
import sys

from whence._environment import with_preload

USAGE = """python -m whence run [-m MODULE | FILE | COMMAND] [ARGUMENT ...]

Starts a program with the client, which takes its options from the environment (WHENCE_API_KEY,
WHENCE_SERVICE, ...). The processes that it starts have a client as well.

  python -m whence run app.py
  python -m whence run -m gunicorn app:app
  python -m whence run celery -A tasks worker
"""
FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120


def run(arguments: list[str]) -> int:
    """Replace this process by the program; return an exit code only if there is none."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    if sys.flags.ignore_environment:
        print(  # noqa: T201
            "whence: run sets PYTHONPATH, which -I and -E ignore: leave them out", file=sys.stderr
        )
        return 2
    command = command_of(arguments)
    if command is None:
        print(  # noqa: T201
            f"whence: {arguments[0]} is neither a file nor a command", file=sys.stderr
        )
        return 2
    environment = with_preload(FOLDER, WHENCE_RUN="1")
    if os.name == "nt":
        # Its exec doesn't wait for the program.
        import subprocess

        return subprocess.call(command, env=environment)  # noqa: S603
    return os.execve(command[0], command, environment)  # noqa: S606


def command_of(arguments: list[str]) -> list[str] | None:
    """Return the command with its program's path; None when there is no such program."""
    first = arguments[0]
    if first.startswith("-") or _is_python(first):
        return [sys.executable, *_interpreter_flags(), *arguments]
    found = shutil.which(first)
    return None if found is None else [found, *arguments[1:]]


def _is_python(path: str) -> bool:
    """Whether a path is one that Python runs: a file, a folder, or an archive with __main__.py."""
    if not os.path.isfile(path):  # noqa: PTH113
        return os.path.isdir(path)  # noqa: PTH112
    return path.endswith((".py", ".pyw", ".pyz", ".zip")) or not os.access(path, os.X_OK)


def _interpreter_flags() -> list[str]:
    """Return the flags of this interpreter, such as ``-O``, as multiprocessing passes them on."""
    import subprocess

    flags: list[str] = getattr(subprocess, "_args_from_interpreter_flags", list)()
    return flags
