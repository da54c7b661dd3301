from kitchen.ingredients import parse_ingredient
from kitchen.planner import Planner
from kitchen.recipe import Recipe, parse_duration
from kitchen.shelf import Shelf


class RecipeBox:
    def __init__(self):
        self._shelf = Shelf()
        self._planner = Planner(self._shelf)

    async def add(self, name, ingredients, duration):
        recipe = Recipe(name, [parse_ingredient(text) for text in ingredients], parse_duration(duration))
        await self._shelf.put(recipe)
        return recipe.minutes()

    async def scaled(self, name, portions):
        recipe = await self._shelf.get(name)
        return [str(one) for one in recipe.scaled(portions).ingredients]

    async def plan(self, names, ready):
        return await self._planner.start_times(names, ready)

    async def pantry(self):
        units = await self._shelf.units()
        return sorted(units.difference({None}))

    async def longest(self):
        recipes = await self._shelf.all()
        return max(recipes, key=lambda recipe: recipe.duration).name
