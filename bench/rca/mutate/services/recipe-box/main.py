import asyncio
import logging

from kitchen.box import RecipeBox

logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("recipes")

RECIPES = [
    ("soup", ["3 carrots", "1 onion", "0.5 l stock"], "00:40"),
    ("bread", ["500 g flour", "7 g yeast", "0.3 l water"], "03:15"),
]


async def main():
    box = RecipeBox()
    failures = 0
    tasks = [("add", recipe) for recipe in RECIPES]
    tasks += [("scaled", ("soup", 4)), ("scaled", ("soup", 2)), ("plan", (["soup", "bread"], "18:00")), ("pantry", ()), ("longest", ())]
    for name, arguments in tasks:
        try:
            print(name, await getattr(box, name)(*arguments))
        except Exception:
            log.exception("%s failed", name)
            failures += 1
    if failures:
        raise SystemExit(2)


asyncio.run(main())
