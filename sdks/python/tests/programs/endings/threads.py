"""Programs with threads."""

import client  # noqa: F401, I001 -- first, as programs do it
import sys
import time


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


def thread_pool():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        print(list(pool.map(abs, [-1, -2])))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
