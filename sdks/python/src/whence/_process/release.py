from __future__ import annotations

import os

from whence._core import limits
from whence._process.program import folders_above, program_folder

_SHOWN_CHARACTERS = 12
_commit_id = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"


def deployed_release() -> str | None:
    """Return ``name@version`` of the program's pyproject.toml, then ``+`` and its commit.

    None when neither is known. Reads files.
    """
    folder = program_folder()
    version = _version_above(folder)
    commit = _commit_of(folder)
    if version is None:
        return commit
    return version if commit is None else f"{version}+{commit[:_SHOWN_CHARACTERS]}"


def _version_above(folder: str) -> str | None:
    for parent in folders_above(folder):
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

    for parent in folders_above(folder):
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
