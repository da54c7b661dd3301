import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../testing.ts";

const store = "export async function loadOrder(id) {\n  return { id, lines: [] };\n}\n";
const invoice = "export function total(order) {\n  return order.lines.map((line) => line.cents);\n}\n";
const log = `TypeError: Cannot read properties of undefined (reading 'map')
    at total (file:///srv/src/invoice.js:2:22)
    at render (file:///srv/src/render.js:3:10)
    at answer (file:///srv/src/server.js:6:10)
`;
const render = "import { total } from './invoice.js';\nexport function render(order) {\n  return total(order);\n}\n";
const server = (load: string): string =>
  `import { loadOrder } from './store.js';\nimport { render } from './render.js';\n\nexport async function answer(id) {\n  const order = ${load};\n  return render(order);\n}\n`;

const causeOf = async (load: string) => {
  const files = {
    "src/store.js": store,
    "src/invoice.js": invoice,
    "src/render.js": render,
    "src/server.js": server(load),
  };
  return (await investigated(textSubject(log, files))).report.root_cause;
};

describe("the result of an async function that is used as its value", () => {
  it("is named where it isn't awaited, some calls away from the failure", async () => {
    expect(await causeOf("loadOrder(id)")).toMatchObject({
      category: "missing-await",
      location: { file: "src/server.js", line: 5, function: "answer" },
      statement: expect.stringContaining("hands on the result of `loadOrder` without awaiting it"),
    });
  });

  it.each(["await loadOrder(id)", "await Promise.resolve(loadOrder(id))", "(await Promise.all([loadOrder(id)]))[0]"])(
    "isn't named when something awaits it: %s",
    async (load) => {
      expect((await causeOf(load)).category).not.toBe("missing-await");
    },
  );

  it("isn't named where it is passed to something that may await it", async () => {
    expect((await causeOf("await cached(() => loadOrder(id))")).category).not.toBe("missing-await");
  });

  it("is named where Python says which coroutine nothing awaited", async () => {
    const files = {
      "shop/stations.py":
        "class Stations:\n    def __init__(self):\n        self._cache = {}\n\n    async def lookup(self, name):\n        if name not in self._cache:\n            self._cache[name] = self._load(name)\n        return self._cache[name]\n\n    async def _load(self, name):\n        return {'name': name}\n",
      "shop/totals.py": "def add(station):\n    return station['name']\n",
      "shop/app.py":
        "from shop.totals import add\n\n\nasync def run(stations):\n    return add(await stations.lookup('oslo'))\n",
    };
    const text = `Traceback (most recent call last):
  File "/srv/shop/app.py", line 5, in run
    return add(await stations.lookup('oslo'))
  File "/srv/shop/totals.py", line 2, in add
    return station['name']
           ~~~~~~~^^^^^^^^
TypeError: 'coroutine' object is not subscriptable
sys:1: RuntimeWarning: coroutine 'Stations._load' was never awaited
`;
    const { report } = await investigated(textSubject(text, files));
    expect(report.root_cause).toMatchObject({
      category: "missing-await",
      location: { file: "shop/stations.py", line: 7, function: "Stations.lookup" },
    });
  });
});
