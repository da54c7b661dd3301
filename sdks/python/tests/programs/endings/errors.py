"""Programs that raise, and what is done with errors."""

import client  # noqa: F401, I001 -- first, as programs do it
import os
import sys


def plain():
    print("done")


def crash():  # arrives: broken
    raise ValueError("broken")


def crash_with_cause():  # arrives: outer
    try:
        raise KeyError("inner")
    except KeyError as error:
        raise RuntimeError("outer") from error


def crash_with_context():  # arrives: outer
    try:
        raise KeyError("inner")
    except KeyError:
        raise RuntimeError("outer")


def crash_with_note():  # arrives: broken
    error = ValueError("broken")
    error.__notes__ = ["a note"]
    raise error


def unraisable():  # arrives: in a finalizer
    class Item:
        def __del__(self):
            raise ValueError("in a finalizer")

    Item()
    print("after")


def excepthook_of_program():  # arrives: broken
    def hook(kind, error, traceback):
        print("hook", kind.__name__, error)

    sys.excepthook = hook
    raise ValueError("broken")


def excepthook_that_fails():  # arrives: broken
    def hook(kind, error, traceback):
        raise TypeError("hook")

    sys.excepthook = hook
    raise ValueError("broken")


def excepthook_that_exits():  # keeps: broken
    before = sys.excepthook

    def hook(kind, error, traceback):
        before(kind, error, traceback)
        os._exit(9)

    sys.excepthook = hook
    raise ValueError("broken")


def recursion():  # arrives: maximum recursion depth exceeded
    def down():
        return down()

    down()


def memory():  # arrives: no more
    raise MemoryError("no more")


def few_descriptors():  # arrives: Too many open files
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
    opened = []
    try:
        while True:
            opened.append(open(os.devnull))
    except OSError as error:
        del opened[:]
        raise RuntimeError(error.strerror) from None


def syntax_error():  # arrives: invalid syntax
    compile("a b", "given.py", "exec")


def import_error():  # arrives: No module named 'absent_module'
    import absent_module  # noqa: F401


def message_that_fails():  # arrives: <message_that_fails.<locals>.Odd without a message>
    class Odd(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    raise Odd


def locals_that_fail():  # arrives: broken
    class Trap:
        def __repr__(self):
            print("repr was called")
            return "trap"

        def __len__(self):
            print("len was called")
            return 1

        def __iter__(self):
            print("iter was called")
            return iter(())

        def __getattr__(self, name):
            print("getattr was called", name)
            raise AttributeError(name)

        @property
        def __class__(self):
            print("class was asked")
            return dict

    trap = Trap()
    traps = {"trap": trap, "list": [trap]}  # noqa: F841
    raise ValueError("broken")


def generator_left():
    def items():
        try:
            yield 1
        finally:
            print("closed")

    generator = items()
    next(generator)


def context_manager_at_end():
    import tempfile

    folder = tempfile.TemporaryDirectory()
    print(os.path.exists(folder.name))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
