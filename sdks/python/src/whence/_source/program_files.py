from __future__ import annotations

import os
import re

from whence._core import limits
from whence._core.stack_frames import is_in_app
from whence._process.program import folders_above, is_below, program_roots

_CODE = (".py", ".pyw")
#: Data that code reads, and those of it that are likely to hold credentials, as an upload has it.
DATA_EXTENSIONS = r"\.(?:json|ya?ml|toml|sql|graphql|gql|prisma)"
_data = re.compile(rf"{DATA_EXTENSIONS}\Z", re.IGNORECASE)
_secret = re.compile(
    r"(?:^|/)(?:secrets?|credentials?)/|(?:secret|credential|passw(?:or)?d|private[-_]?key"
    r"|service[-_]?account|token|kubeconfig)[^/]*\Z",
    re.IGNORECASE,
)
_INSTALLED = ("site-packages", "dist-packages", "node_modules", "__pycache__")
#: What a virtual environment, and one of conda, has in its folder.
_ENVIRONMENT_MARKS = ("pyvenv.cfg", "conda-meta")


class ProgramFolders:
    """The folders of the program, and which files in them may leave the process."""

    def __init__(self) -> None:
        self.roots = program_roots()
        self._environments: dict[str, bool] = {}
        self._real_folders: dict[str, str] = {}

    def path_of(self, file: str, *, is_main: bool = False) -> str | None:
        """Return a file's path below the program's folder, with slashes; None if it stays here.

        Files that leave are the program's own code, and data next to it. Never an installed
        package, a hidden file or folder, data named like a credential, or a file that lies
        outside after links are followed. The path is that of the link, as stacks have it.
        """
        real = self._real(file)
        root = next((root for root in self.roots if is_below(root, real)), None)
        if root is None or not is_in_app(file) or not is_in_app(real):
            return None
        path = _relative(real, root)
        named = next((_relative(file, root) for root in self.roots if is_below(root, file)), path)
        is_sent = all(_may_leave(each, is_main=is_main) for each in (path, named))
        return named if is_sent and not self._is_in_environment(real, root) else None

    def folders_of(self, file: str) -> list[str]:
        """Return the folder of a file of the program, and those above it in the program."""
        above = folders_above(os.path.dirname(self._real(file)))  # noqa: PTH120
        return [each for each in above if any(is_below(root, each + os.sep) for root in self.roots)]

    def _real(self, file: str) -> str:
        """Follow links. Those of folders are remembered, which most files share."""
        if os.path.islink(file):  # noqa: PTH114
            return os.path.realpath(file)
        folder, name = os.path.split(file)
        real = self._real_folders.get(folder)
        if real is None:
            real = self._real_folders[folder] = os.path.realpath(folder)
        return os.path.join(real, name)  # noqa: PTH118

    def _is_in_environment(self, file: str, root: str) -> bool:
        for folder in folders_above(os.path.dirname(file)):  # noqa: PTH120
            if folder == root:
                return False
            if folder not in self._environments:
                marks = (os.path.join(folder, mark) for mark in _ENVIRONMENT_MARKS)  # noqa: PTH118
                self._environments[folder] = any(os.path.exists(mark) for mark in marks)  # noqa: PTH110
            if self._environments[folder]:
                return True
        return False


def is_code(file: str) -> bool:
    """Whether a file is code, by its extension."""
    return file.endswith(_CODE)


def _may_leave(path: str, *, is_main: bool) -> bool:
    segments = path.split("/")
    if len(path) > limits.FILE_NAME_LENGTH_MAX or not path.isprintable() or "\\" in path:
        return False
    if any(each == "" or each.startswith(".") or each in _INSTALLED for each in segments):
        return False
    if is_code(path):
        return True
    # The program itself may have a name without an ending, such as `bin/serve`.
    is_kind = _data.search(path) is not None or (is_main and "." not in segments[-1])
    return is_kind and _secret.search(path) is None


def _relative(file: str, root: str) -> str:
    return file[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
