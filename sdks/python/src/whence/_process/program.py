"""Where the program lies on disk."""

from __future__ import annotations

import os
import sys

from whence._core.builtin_types import ModuleType
from whence._core.stack_frames import is_in_app

_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile")
_fields_of = vars(ModuleType)["__dict__"].__get__
#: What `__main__` was loaded from, which the interpreter forgets once it has run.
_main_path: str | None = None


def module_fields(module: object) -> dict[str, object]:
    """Return the fields of a module without running code of the program; of anything else, none.

    A module may have properties, or load itself when it is first used.
    """
    fields = _fields_of(module) if issubclass(type(module), ModuleType) else None
    return fields if type(fields) is dict else {}


def main_file() -> str | None:
    """Return the main file; None when it isn't the program's own, as that of gunicorn."""
    global _main_path  # noqa: PLW0603
    found = module_fields(sys.modules.get("__main__")).get("__file__")
    file = _main_path = found if type(found) is str else _main_path
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

    For the main file and the working folder, that is the topmost folder with a manifest in the same
    git checkout; without a checkout, the nearest one. Never the root of the file system, where many
    a program runs, nor a person's home folder, which holds more than a program.
    """
    main = main_file()
    folders = [] if main is None else [program_folder()]
    try:
        folders.append(os.path.realpath(os.getcwd()))  # noqa: PTH109
    except OSError:
        # It was deleted.
        pass
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    barred = None if _is_of_program(home) else home
    found = [_root_above(folder, barred) for folder in dict.fromkeys(folders)]
    roots = list(dict.fromkeys(root for root in found if root is not None))
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


def _is_of_program(home: str) -> bool:
    """Whether a home folder is that of a program in a container, as Heroku's `/app`.

    People's homes lie deeper, apart from `/root`.
    """
    parent = os.path.dirname(home)  # noqa: PTH120
    return os.path.dirname(parent) == parent and home != "/root" and _has_manifest(home)  # noqa: PTH120


def _has_manifest(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name)) for name in _MANIFESTS)  # noqa: PTH113, PTH118


def _root_above(folder: str, home: str | None) -> str | None:
    """Return a program's folder; None where only the root or the home folder would be one."""
    manifests: list[str] = []
    for above in folders_above(folder)[:-1]:
        if above == home:
            break
        if _has_manifest(above):
            manifests.append(above)
        if os.path.exists(os.path.join(above, ".git")):  # noqa: PTH110, PTH118
            return manifests[-1] if manifests else folder
    if manifests:
        return manifests[0]
    return None if folder == home or os.path.dirname(folder) == folder else folder  # noqa: PTH120


def _is_installed(file: str) -> bool:
    real = os.path.realpath(file)
    return "site-packages" in real or real.startswith(os.path.realpath(sys.prefix) + os.sep + "bin")
