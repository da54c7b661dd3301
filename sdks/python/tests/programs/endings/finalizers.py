"""Programs whose values print something when they are collected."""

import client  # noqa: F401, I001 -- first, as programs do it
import logging
import sys
import warnings

warnings.simplefilter("always")


def fail(value):
    raise ValueError("broken")


class Value:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("collected", self.name, "at line", sys._getframe(1).f_lineno, file=sys.stderr)


def each(values):
    """Logs a failure with each value, and drops the value after that."""
    for value in values:
        try:
            fail(value)
        except ValueError:
            logging.exception("failed")
        print("next", file=sys.stderr)
        value = None
        print("last", file=sys.stderr)


def collected_value():  # arrives: broken
    each(Value(name) for name in "abc")


def coroutine_never_awaited():  # arrives: broken
    async def locale():
        pass

    each(locale() for _ in range(3))


def async_generator_never_awaited():  # arrives: broken
    async def pages():
        yield 1

    each(pages().asend(None) for _ in range(3))


def unclosed_file():  # arrives: broken
    each(open(__file__) for _ in range(3))


def unclosed_socket():  # arrives: broken
    import socket

    each(socket.socket() for _ in range(2))


def task_never_retrieved():  # arrives: broken
    import asyncio

    async def raises(text):
        raise LookupError(text)

    async def main():
        for text in ("first", "second"):
            task = asyncio.ensure_future(raises(text))
            await asyncio.sleep(0)
            try:
                fail(task)
            except ValueError:
                logging.exception("failed")
            print("next", file=sys.stderr)
            task = None
            print("last", file=sys.stderr)

    asyncio.run(main())


def coroutine_in_an_error():  # arrives: ('not awaited',
    async def locale():
        pass

    for _ in range(3):
        try:
            raise TypeError("not awaited", locale())
        except TypeError:
            logging.exception("failed")
        print("next", file=sys.stderr)


def collected_in_a_group_of_errors():  # arrives: outer
    for name in "ab":
        try:
            try:
                fail(Value(name))
            except ValueError as error:
                raise LookupError("outer") from error
        except LookupError:
            logging.exception("failed")
        print("next", file=sys.stderr)


def variables_of_the_program():  # arrives: broken
    given = 1
    exec("added = 2")
    try:
        fail(given)
    except ValueError:
        logging.exception("failed")
    print(locals())
    given = 3
    print(locals())


def collected_in_a_generator():  # arrives: broken
    def values():
        for name in "ab":
            value = Value(name)
            try:
                yield fail(value)
            except ValueError:
                logging.exception("failed")
            value = None
            print("last", file=sys.stderr)

    list(values())


def collected_in_a_thread():  # arrives: broken
    import threading

    def run():
        value = Value("a")
        fail(value)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    print("joined", file=sys.stderr)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
