"""``python -m whence run`` and ``python -m whence doctor``."""

from __future__ import annotations

import sys

USAGE = """python -m whence run app.py       starts a program with the client
python -m whence doctor -- ...    shows what would leave a program, and checks the delivery

Each has --help.
"""


def main(arguments: list[str]) -> int:
    """Run a command; return the exit code."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if name == "run":
        from whence._preload.run import run

        return run(rest)
    if name == "doctor":
        from whence._doctor.doctor import doctor

        return doctor(rest)
    is_help = name in ("-h", "--help")
    print(USAGE, end="", file=sys.stdout if is_help else sys.stderr)
    return 0 if is_help else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
