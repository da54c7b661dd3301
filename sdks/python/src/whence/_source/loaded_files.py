from __future__ import annotations

import os
import re
import sys
import time
from itertools import islice

from whence._core import limits
from whence._core.guard import guarded
from whence._core.stack_frames import is_in_app
from whence._process.program import main_file, module_fields
from whence._source.program_files import DATA_EXTENSIONS, ProgramFolders, is_code
from whence._source.source_files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: Stands for the main file.
_MAIN = "."
#: Each part is bounded, so that no text takes longer than another.
_imported = re.compile(
    r"^[ \t]{0,100}(?:from[ \t]{1,20}(\.{0,20})((?:\w[\w.]{0,200})?)[ \t]{1,20}import[ \t]{1,20}"
    r"(?:\(([^)]{0,2000})\)|([^#\n(]{0,500}))|import[ \t]{1,20}([\w., \t]{1,500}))",
    re.MULTILINE,
)
_dotted = re.compile(r"[^\W\d][\w.]*")
_data_end = re.compile(rf"{DATA_EXTENSIONS}(?=[\"'])", re.IGNORECASE)
#: A data file's name, and the folders that it is joined to, both backward from its extension: as
#: that ends a name, nothing is looked at twice.
_data_name = re.compile(
    r"([\w@./-]{0,200}[\w@-](?:/\.{1,2}){0,8})[\"']"
    r"((?:\s{0,100}[/,]\s{0,100}[\"'](?:[\w@-]{1,100}|\.\.)[\"']){0,5})"
)
_quoted = re.compile(r"[\"']([\w@.-]+)[\"']")
_NAME_CHARACTERS_MAX = 600


class LoadedFile:
    """A file of the program: its path below the program's folder, and where it is."""

    __slots__ = ("file", "is_code", "package", "path")

    def __init__(self, path: str, file: str, package: str, *, is_code: bool) -> None:
        self.path = path
        #: As stacks name it.
        self.file = file
        #: What its relative imports are relative to.
        self.package = package
        self.is_code = is_code

    def is_wanted(self, names: Iterable[str]) -> bool:
        """Whether one of the names, as stacks have them, is this file."""
        slashed = [name.replace("\\", "/") for name in names]
        return self.file in names or any(
            name == self.path or name.endswith("/" + self.path) for name in slashed
        )


def sendable_files(wanted: list[str], is_stopped: Callable[[], bool]) -> Iterator[tuple[str, str]]:
    """Yield the path and text of the program's files: the wanted ones, those they name, the others.

    The program consists of its main file, its own modules that are loaded, and the data files that
    these name. None is yielded if none of the wanted ones is among its code. Reads each file when
    it is its turn, and lets the program's threads, and gevent's greenlets, have theirs.
    """
    program = _Program(is_stopped)
    first = program.wanted(wanted)
    if not first:
        return
    order = {loaded.file: loaded for loaded in first}
    waiting = list(order.values())
    others = list(program.files)
    while waiting and not is_stopped():
        time.sleep(0)
        loaded = waiting.pop(0)
        text = read_text(
            loaded.file, limits.SENT_FILE_BYTES_MAX, is_code=loaded.is_code, is_whole=True
        )
        if text is not None and "\0" not in text:
            yield loaded.path, text
        added = [] if text is None or not loaded.is_code else program.named_by(loaded, text)
        if not waiting and not any(each.file not in order for each in added):
            added, others = [*added, *others], []
        for each in added:
            if each.file not in order:
                order[each.file] = each
                waiting.append(each)


class _Program:
    """What is loaded at the moment."""

    def __init__(self, is_stopped: Callable[[], bool]) -> None:
        self._is_stopped = is_stopped
        self._folders = ProgramFolders()
        self._by_name: dict[str, LoadedFile] = {}
        self._by_file: dict[str, LoadedFile | None] = {}
        #: The program's own code, in the order in which it was found.
        self.files: list[LoadedFile] = []
        self._places_left = limits.NAMED_PLACES_MAX
        self._main: LoadedFile | None = None
        self._has_main = main_file() is not None
        modules = dict.copy(sys.modules)
        # The main file first: without one of the program's own, modules follow in their order.
        names = ("__main__", *islice(modules, limits.SCANNED_MODULES_MAX))
        for index, name in enumerate(names):
            if index % limits.SCANNED_PER_TURN == 0:
                time.sleep(0)
            if is_stopped() or len(self.files) >= limits.LOADED_FILES_MAX:
                break
            # Of a module that is odd, nothing is known: the others are as they are.
            guarded(self._add, name, modules.get(name))

    def _add(self, name: str, module: object) -> None:
        file, package = _place_of(module)
        if name == "__main__" and file is None:
            file = main_file()
        is_main = name == "__main__" and file is not None and self._has_main
        if file is None or not (is_main or (is_code(file) and is_in_app(file))):
            return
        if file not in self._by_file:
            path = self._folders.path_of(file, is_main=is_main)
            loaded = None if path is None else LoadedFile(path, file, package, is_code=True)
            self._by_file[file] = loaded
            if loaded is not None:
                self.files.append(loaded)
            if is_main:
                self._main = loaded
        known = self._by_file[file]
        if known is not None:
            self._by_name[name] = known

    def wanted(self, names: list[str]) -> list[LoadedFile]:
        """Return the files that these names stand for."""
        found = [loaded for loaded in self.files if loaded.is_wanted(names)]
        if _MAIN not in names:
            return found
        main = self.files[:1] if self._main is None else [self._main]
        return [*found, *(loaded for loaded in main if loaded not in found)]

    def named_by(self, loaded: LoadedFile, text: str) -> list[LoadedFile]:
        """Return the loaded modules that a file imports, and the data files that it names."""
        modules = (self._by_name.get(name) for name in _modules_in(text, loaded.package))
        return [*(each for each in modules if each is not None), *self._data_in(loaded, text)]

    def _data_in(self, loaded: LoadedFile, text: str) -> Iterator[LoadedFile]:
        folders = [*self._folders.folders_of(loaded.file), *_working_folder()]
        for names in islice(_data_names(text), limits.NAMED_FILES_MAX):
            time.sleep(0)
            if self._is_stopped():
                return
            file = self._existing(folders, names)
            path = None if file is None else self._folders.path_of(file)
            if file is not None and path is not None:
                yield LoadedFile(path, file, "", is_code=False)

    def _existing(self, folders: list[str], names: list[str]) -> str | None:
        for folder in folders:
            for name in names:
                if self._places_left <= 0:
                    return None
                self._places_left -= 1
                file = os.path.normpath(os.path.join(folder, name))  # noqa: PTH118
                if os.path.isfile(file):  # noqa: PTH113
                    return file
        return None


def _place_of(module: object) -> tuple[str | None, str]:
    """Return a module's file and package, without running code of the program."""
    fields = module_fields(module)
    file, package, name = (fields.get(each) for each in ("__file__", "__package__", "__name__"))
    if type(file) is not str:
        return None, ""
    if type(package) is not str:
        package = name.rpartition(".")[0] if type(name) is str else ""
    return os.path.abspath(file), package  # noqa: PTH100


def _modules_in(text: str, package: str) -> Iterator[str]:
    """Yield the full names of the modules that a text may import, those of members first."""
    for found in islice(_imported.finditer(text), limits.NAMED_FILES_MAX):
        dots, base, listed, line, plain = found.groups("")
        if plain:
            yield from _dotted.findall(plain)
            continue
        parents = package.split(".")
        above = parents[: max(0, len(parents) - len(dots) + 1)] if dots else []
        module = ".".join(each for each in (*above, base) if each)
        for member in _dotted.findall(listed or line):
            yield f"{module}.{member}" if module else member
        yield module


def _data_names(text: str) -> Iterator[list[str]]:
    """Yield each data file that a text names: its name within fewer and fewer of its folders."""
    for end in _data_end.finditer(text):
        before = text[max(0, end.start() - _NAME_CHARACTERS_MAX) : end.start()]
        found = _data_name.match(before[::-1])
        if found is not None:
            folders = _quoted.findall(found[2][::-1])
            name = found[1][::-1] + end[0]
            yield ["/".join([*folders[start:], name]) for start in range(len(folders) + 1)]


def _working_folder() -> list[str]:
    try:
        return [os.getcwd()]  # noqa: PTH109
    except OSError:
        # It was deleted.
        return []
