"""Types of the interpreter, without the modules of the library that name them.

Those take a third of the client's time to load, and not every program has them.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import deque
    from contextvars import ContextVar, Token
    from functools import partial
    from types import (
        BuiltinFunctionType,
        CodeType,
        CoroutineType,
        FrameType,
        FunctionType,
        GetSetDescriptorType,
        MemberDescriptorType,
        MethodType,
        ModuleType,
        TracebackType,
    )
    from weakref import ref
else:
    from _collections import deque
    from _contextvars import ContextVar, Token
    from _functools import partial
    from _weakref import ref

    def _function() -> None:
        """Have a type."""

    async def _async_function() -> None:
        """Have a type."""

    _coroutine = _async_function()
    _coroutine.close()
    CoroutineType = type(_coroutine)
    FunctionType = type(_function)
    BuiltinFunctionType = type(len)
    CodeType = type(_function.__code__)
    FrameType = type(sys._getframe())
    MethodType = type(type("_Class", (), {"method": _function})().method)
    ModuleType = type(sys)
    GetSetDescriptorType = type(FunctionType.__code__)
    MemberDescriptorType = type(FunctionType.__globals__)
    try:
        raise TypeError  # noqa: TRY301
    except TypeError as error:
        TracebackType = type(error.__traceback__)

__all__ = [
    "BuiltinFunctionType",
    "CodeType",
    "ContextVar",
    "CoroutineType",
    "FrameType",
    "FunctionType",
    "GetSetDescriptorType",
    "MemberDescriptorType",
    "MethodType",
    "ModuleType",
    "Token",
    "TracebackType",
    "deque",
    "partial",
    "ref",
]
