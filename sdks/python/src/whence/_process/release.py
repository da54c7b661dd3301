from __future__ import annotations

import os
import sys

from whence._core import limits

_SHOWN_CHARACTERS = 12
_commit_id = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"


def deployed_release() -> str | None:
    """Return ``name@version`` of the program's pyproject.toml, then ``+`` and its commit.

    None when neither is known. Reads files.
    """
    folder = _program_folder()
    version = _version_above(folder)
    commit = _commit_of(folder)
    if version is None:
        return commit
    return version if commit is None else f"{version}+{commit[:_SHOWN_CHARACTERS]}"


def _program_folder() -> str:
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    if type(file) is str and not _is_installed(file):
        return os.path.dirname(os.path.realpath(file))  # noqa: PTH120
    return os.getcwd()  # noqa: PTH109


def _is_installed(file: str) -> bool:
    real = os.path.realpath(file)
    return "site-packages" in real or real.startswith(os.path.realpath(sys.prefix) + os.sep + "bin")


def _parents(folder: str) -> list[str]:
    folders = [folder]
    while os.path.dirname(folders[-1]) != folders[-1]:  # noqa: PTH120
        folders.append(os.path.dirname(folders[-1]))  # noqa: PTH120
    return folders


def _version_above(folder: str) -> str | None:
    for parent in _parents(folder):
        text = _read(os.path.join(parent, "pyproject.toml"))  # noqa: PTH118
        if text is not None:
            return _project_version(text)
    return None


def _project_version(text: str) -> str | None:
    """Return the project's name and version; tomllib is absent from Python 3.10."""
    import re

    project = re.search(
        r"^\[(?:project|tool\.poetry)\]\s*$(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL
    )
    if project is None:
        return None
    fields = dict(
        re.findall(r"^(name|version)\s*=\s*[\"']([^\"'\n]+)[\"']", project[1], re.MULTILINE)
    )
    version = fields.get("version")
    if version is None:
        return None
    release = f"{fields['name']}@{version}" if "name" in fields else version
    return release if len(release) <= limits.TEXT_LENGTH_MAX else None


def _commit_of(folder: str) -> str | None:
    """Return the commit that is checked out there, from git's files."""
    import re

    for parent in _parents(folder):
        path = os.path.join(parent, ".git")  # noqa: PTH118
        if os.path.isfile(path):  # noqa: PTH113
            named = re.match(r"gitdir: (.+)", _read(path) or "")
            path = os.path.join(parent, named[1].strip()) if named else path  # noqa: PTH118
        head = _read(os.path.join(path, "HEAD"))  # noqa: PTH118
        if head is not None:
            return _commit_at(path, head.strip())
    return None


def _commit_at(git: str, head: str) -> str | None:
    import re

    branch = re.match(r"ref: (refs/.+)", head)
    if branch is None:
        return head if _is_commit(head) else None
    common = _read(os.path.join(git, "commondir"))  # noqa: PTH118
    shared = git if common is None else os.path.join(git, common.strip())  # noqa: PTH118
    for folder in (git, shared):
        commit = (_read(os.path.join(folder, branch[1])) or "").strip()  # noqa: PTH118
        if _is_commit(commit):
            return commit
    packed = _read(os.path.join(shared, "packed-refs")) or ""  # noqa: PTH118
    for line in packed.splitlines():
        commit, _, name = line.partition(" ")
        if name == branch[1] and _is_commit(commit):
            return commit
    return None


def _is_commit(text: str) -> bool:
    import re

    return re.fullmatch(_commit_id, text) is not None


def _read(path: str) -> str | None:
    try:
        if os.stat(path).st_size > limits.GIT_FILE_BYTES_MAX:  # noqa: PTH116
            return None
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return None
