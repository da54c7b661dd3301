"""Programs that start processes."""

import client  # noqa: F401, I001 -- first, as programs do it
import os
import sys


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


def subprocess_run():
    import subprocess

    print(subprocess.run([sys.executable, "-c", "print(6)"], capture_output=True).stdout)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
