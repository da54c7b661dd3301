"""Where the program lies on disk."""

from __future__ import annotations

import os
import sys

from whence._core.stack_frames import is_in_app

_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile")


def main_file() -> str | None:
    """Return the main file; None when it isn't the program's own, as that of gunicorn."""
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    if type(file) is not str or not is_in_app(file) or _is_installed(file):
        return None
    return os.path.abspath(file)  # noqa: PTH100 - pathlib takes long to import


def program_folder() -> str:
    """Return the folder of the main file, with links followed; else the working folder."""
    main = main_file()
    if main is not None:
        return os.path.dirname(os.path.realpath(main))  # noqa: PTH120
    return os.getcwd()  # noqa: PTH109


def program_roots() -> list[str]:
    """Return the folders that the program lies in, with links followed, none within another.

    These are the topmost folders with a manifest above the main file and the working folder, in
    the same checkout. The root of the file system isn't one, though many a program runs there.
    """
    main = main_file()
    folders = [] if main is None else [program_folder()]
    try:
        folders.append(os.path.realpath(os.getcwd()))  # noqa: PTH109
    except OSError:
        # It was deleted.
        pass
    roots = [_root_above(folder) for folder in folders]
    roots = [root for root in dict.fromkeys(roots) if os.path.dirname(root) != root]  # noqa: PTH120
    return [root for root in roots if not any(is_below(other, root) for other in roots)]


def is_below(folder: str, path: str) -> bool:
    """Whether a path lies in a folder, at any depth."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def folders_above(folder: str) -> list[str]:
    """Return a folder and all above it, innermost first."""
    folders = [folder]
    while os.path.dirname(folders[-1]) != folders[-1]:  # noqa: PTH120
        folders.append(os.path.dirname(folders[-1]))  # noqa: PTH120
    return folders


def _root_above(folder: str) -> str:
    root = folder
    for above in folders_above(folder):
        if any(os.path.isfile(os.path.join(above, name)) for name in _MANIFESTS):  # noqa: PTH113, PTH118
            root = above
        if os.path.exists(os.path.join(above, ".git")):  # noqa: PTH110, PTH118
            break
    return root


def _is_installed(file: str) -> bool:
    real = os.path.realpath(file)
    return "site-packages" in real or real.startswith(os.path.realpath(sys.prefix) + os.sep + "bin")
