"""Calls back when the program imports a module, so that nothing else is ever imported."""

from __future__ import annotations

import sys

from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import TypeAlias

    from whence._client import Client

    #: Begins to watch something, and returns what stops it.
    Instrumentation: TypeAlias = Callable[[Client], Callable[[], None]]


class _Finder:
    """Finds nothing, but sees each import, and has the loader of a watched module call back."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[Callable[[ModuleType], None]]] = {}
        self.loaded: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self.waiting:
            return None
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            if finder is self or find is None:
                continue
            spec: ModuleSpec | None = find(name, path, target)
            if spec is not None:
                guarded(self._observe, spec, name)
                return spec
        return None

    def _observe(self, spec: ModuleSpec, name: str) -> None:
        loader = spec.loader
        run = getattr(loader, "exec_module", None)
        if run is None:
            return

        def exec_module(module: ModuleType) -> None:
            # The loader is the module's own from here on, as without the client.
            vars(loader).pop("exec_module", None)
            run(module)
            self.loaded.add(name)
            for callback in self.waiting.pop(name, ()):
                guarded(callback, module)

        vars(loader)["exec_module"] = exec_module


_finder = _Finder()


def when_loaded(name: str, callback: Callable[[ModuleType], None]) -> None:
    """Call back with a module: now if it is loaded, else when the program has loaded it."""
    module = sys.modules.get(name)
    if module is not None:
        spec = getattr(module, "__spec__", None)
        if name in _finder.loaded or not getattr(spec, "_initializing", False):
            guarded(callback, module)
            return
    _finder.waiting.setdefault(name, []).append(callback)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def watch_loaded(
    name: str, begin: Callable[[ModuleType], Callable[[], None]]
) -> Callable[[], None]:
    """Begin to watch a module once it is loaded. Return what stops that, if it began."""
    stops: list[Callable[[], None]] = []
    when_loaded(name, lambda module: stops.append(begin(module)))
    return together(stops)


def together(stops: list[Callable[[], None]]) -> Callable[[], None]:
    """Return what stops all of them, also those that are added to the list later."""

    def stop() -> None:
        for each in stops:
            each()

    return stop


def once_loaded(name: str, load: Callable[[], Instrumentation]) -> Instrumentation:
    """Return an instrumentation of a module, which is itself loaded only with that module."""
    return lambda client: watch_loaded(name, lambda _module: load()(client))
