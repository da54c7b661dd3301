"""Programs that end in many ways, each a function; run as `endings.py NAME`, with whence, with sentry-sdk, or
without a client.

The comment `# arrives: TEXT` names the message of an event that must reach the service or, where
the machine is too slow for the time that an exit may take, be on disk for the next start;
`# keeps: TEXT` one that the next start always sends.
"""

import os
import sys

if os.environ.get("WHENCE_API_KEY"):
    import whence

    whence.init()
elif os.environ.get("SENTRY_DSN"):
    import sentry_sdk

    sentry_sdk.init()

import atexit
import signal
import time


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


def exit_with_code():
    sys.exit(3)


def exit_with_text():
    sys.exit("a reason")


def exit_with_none():
    sys.exit()


def exit_after_error():  # arrives: handled
    import logging

    try:
        raise ValueError("handled")
    except ValueError:
        logging.getLogger("shop").exception("handled")
    sys.exit(2)


def os_exit():
    print("bye", flush=True)
    os._exit(5)


def keyboard_interrupt():
    raise KeyboardInterrupt


def sigint():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)


def sigterm():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


def sigterm_handled():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


def sigkill():  # keeps: logged
    import logging

    logging.error("logged")
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)


def abort():
    os.abort()


def capture_in_signal_handler():  # arrives: in the handler
    import logging

    def handler(*_):
        logging.error("in the handler")

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.1)


def system_exit_in_thread():
    import threading

    thread = threading.Thread(target=sys.exit)
    thread.start()
    thread.join()
    print("after")


def crash_in_thread():  # arrives: in a thread
    import threading

    def run():
        raise ValueError("in a thread")

    thread = threading.Thread(target=run, name="worker")
    thread.start()
    thread.join()
    print("after")


def crash_in_daemon_thread():  # arrives: in a daemon
    import threading

    def run():
        raise ValueError("in a daemon")

    thread = threading.Thread(target=run, name="worker", daemon=True)
    thread.start()
    thread.join()


def daemon_thread_left():
    import threading

    threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
    print("main ends")


def crash_beside_a_thread():  # arrives: main broke
    import threading

    threading.Thread(target=time.sleep, args=(0.3,)).start()
    raise ValueError("main broke")


def late_thread_error():  # arrives: late
    import threading

    def run():
        time.sleep(0.2)
        raise ValueError("late")

    threading.Thread(target=run, name="late").start()


def counts_threads():
    import threading

    print(threading.active_count(), [thread.name for thread in threading.enumerate()])


def error_in_atexit():  # arrives: at the end
    def last():
        raise ValueError("at the end")

    atexit.register(last)


def log_in_atexit():  # arrives: logged at the end
    import logging

    atexit.register(logging.error, "logged at the end")


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


def closed_stdout():  # arrives: broken
    sys.stdout.close()
    raise ValueError("broken")


def closed_stderr():  # arrives: broken
    sys.stderr.close()
    raise ValueError("broken")


def closed_descriptors():  # arrives: broken
    os.close(1)
    os.close(2)
    raise ValueError("broken")


def recursion():  # arrives: maximum recursion depth exceeded
    def down():
        return down()

    down()


def memory():  # arrives: no more
    raise MemoryError("no more")


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


def warns():
    import warnings

    warnings.warn("old", DeprecationWarning)
    warnings.warn("odd", UserWarning)


def logs_without_setup():  # arrives: error 1
    import logging

    logging.warning("warning %s", 1)
    logging.error("error %s", 1)
    logging.info("unseen")


def logs_with_basic_config():  # arrives: careful
    import logging

    logging.basicConfig(format="%(levelname)s %(funcName)s %(lineno)d %(message)s", level="INFO")
    logging.getLogger("shop").info("hello %s", "ada")
    logging.getLogger("shop").critical("careful")


def logs_badly():
    import logging

    logging.getLogger("shop").error("%d items", "many")


def last_resort():
    import logging

    logging.getLogger("shop").warning("last resort")


def asyncio_crash():  # arrives: in main
    import asyncio

    async def main():
        await asyncio.sleep(0)
        raise ValueError("in main")

    asyncio.run(main())


def asyncio_lost_task():  # arrives: in a task
    import asyncio

    async def fail():
        raise ValueError("in a task")

    async def main():
        asyncio.ensure_future(fail())
        await asyncio.sleep(0.01)
        import gc

        gc.collect()

    asyncio.run(main())


def asyncio_own_handler():  # arrives: in a task
    import asyncio

    async def fail():
        raise ValueError("in a task")

    async def main():
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: print("own", context["exception"])
        )
        asyncio.ensure_future(fail())
        await asyncio.sleep(0.01)
        import gc

        gc.collect()

    asyncio.run(main())


def asyncio_callback():  # arrives: in a callback
    import asyncio

    def fail():
        raise ValueError("in a callback")

    async def main():
        asyncio.get_running_loop().call_soon(fail)
        await asyncio.sleep(0.01)

    asyncio.run(main())


def asyncio_task_names():
    import asyncio

    async def main():
        print(asyncio.current_task().get_name(), asyncio.get_running_loop().get_task_factory())

    asyncio.run(main())


def asyncio_cancelled():
    import asyncio

    async def main():
        task = asyncio.ensure_future(asyncio.sleep(10))
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            print("cancelled")

    asyncio.run(main())


def asyncio_group():  # arrives: unhandled errors in a TaskGroup (1 sub-exception)
    import asyncio

    async def fail():
        raise ValueError("member")

    async def main():
        async with asyncio.TaskGroup() as group:
            group.create_task(fail())

    asyncio.run(main())


def fork_child_crashes():  # arrives: in the child
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        raise ValueError("in the child")
    print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def fork_parent_crashes():  # arrives: in the parent
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    raise ValueError("in the parent")


def fork_after_error():  # arrives: before
    import logging

    logging.error("before")
    pid = os.fork()
    if pid == 0:
        logging.error("in the child")
        sys.exit(4)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def process_in(method):
    import multiprocessing

    process = multiprocessing.get_context(method).Process(target=_fail, name="child")
    process.start()
    process.join(20)
    print(process.exitcode)


def _fail():
    raise ValueError("in a process")


def multiprocessing_fork():  # arrives: in a process
    process_in("fork")


def multiprocessing_spawn():  # arrives: in a process
    process_in("spawn")


def multiprocessing_forkserver():  # arrives: in a process
    process_in("forkserver")


def process_pool():
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(abs, [-1, -2]))


def thread_pool():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        print(list(pool.map(abs, [-1, -2])))


def subprocess_run():
    import subprocess

    print(subprocess.run([sys.executable, "-c", "print(6)"], capture_output=True).stdout)


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


if __name__ == "__main__":
    globals()[sys.argv[1]]()
