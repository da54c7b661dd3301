import sys
import threading
import time
import traceback

from hire.deposits import deposit
from hire.desk import Desk
from hire.photos import attach
from hire.reservations import collect, reserve
from hire.shed import Shed

failed = []


def attempt(what, work):
    try:
        print(what, work())
    except Exception:
        failed.append(what)
        print(f"{what} failed", file=sys.stderr)
        traceback.print_exc()


def together(what, *works):
    threads = [threading.Thread(target=attempt, args=(what, work)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


shed, desk = Shed(), Desk()
together("lend", *(lambda name=name: shed.lend("drill", name, 120) for name in ("ann", "bob", "cid")))
together("serve", *(lambda: desk.serve(6) for _ in range(7)))
time.sleep(0.4)
attempt("lend", lambda: shed.lend("saw", "dot", 80.5))
attempt("lend", lambda: shed.lend("plane", "eve", 40))
attempt("deposit", lambda: deposit("ann", 35))
attempt("collect", lambda: collect(reserve("saw"), time.time() + 24 * 3600))
attempt("photo", lambda: attach("saw", bytes(3000)))
sys.exit(1 if failed else 0)
