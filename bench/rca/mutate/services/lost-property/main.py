import sys
import traceback

from office import desk
from office.store import Missing

failed = []


def ask(name, *arguments):
    try:
        print(name, getattr(desk, name)(*arguments))
    except Missing as error:
        print(name, "refused:", error)
    except Exception:
        failed.append(name)
        print(f"{name} failed", file=sys.stderr)
        traceback.print_exc()


ask("describe", "u-1")
ask("describe", "x-9")
ask("claim", "u-1", " Ada ")
ask("claim", "x-9", "Ada")
ask("claim", "g-2", None)
ask("send", "u-1", "city")
ask("send", "x-8", "city")
ask("send", "g-2", "moon")
ask("cost", "country", 3)
ask("cost", "sea", 2)
ask("on_line", "4")
sys.exit(1 if failed else 0)
