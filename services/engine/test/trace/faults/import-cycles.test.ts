import { describe, expect, it } from "vitest";
import { type Files, ofKind, traced } from "../signals-in.ts";

const usedBefore = (name: string, at: string): string =>
  `ReferenceError: Cannot access '${name}' before initialization\n    at file:///app/${at}\n    at ModuleJob.run (node:internal/modules/esm/module_job:569:25)\n`;

/** The place and arguments of the import that closes a cycle, and the gaps. */
async function cycleIn(log: string, files: Files): Promise<{ cycle: object[]; open: readonly object[] }> {
  const { signals, outOfSight } = await traced(log, files);
  const cycle = signals.flatMap((one) =>
    one.kind === "import-cycle" ? [{ at: `${one.subject.file}:${one.subject.line}`, ...one.args }] : [],
  );
  return { cycle, open: outOfSight };
}

const shapes: Files = {
  "main.mjs": "import { draw } from './canvas.mjs';\ndraw();\n",
  "canvas.mjs":
    "import { Circle } from './circle.mjs';\nimport { Shape } from './shape.mjs';\nexport const draw = () => [new Circle(), new Shape()];\n",
  "circle.mjs": "import { Shape } from './shape.mjs';\nexport class Circle extends Shape {}\n",
  "shape.mjs": "import { draw } from './canvas.mjs';\nexport class Shape {\n  redraw() {\n    return draw();\n  }\n}\n",
};
const circleFails = usedBefore("Shape", "circle.mjs:2:29");

describe("the import cycle of a name that isn't initialized", () => {
  it("is closed by the import that leads back towards the start, not by the subclass's import of its base", async () => {
    expect(await cycleIn(circleFails, shapes)).toEqual({
      cycle: [{ at: "shape.mjs:1", module: "./canvas.mjs", files: ["shape.mjs", "canvas.mjs", "circle.mjs"] }],
      open: [],
    });
  });

  it("names the file to import from where the imported one only hands the name on", async () => {
    const files = {
      ...shapes,
      "main.mjs": "import { Circle } from './index.mjs';\nnew Circle();\n",
      "index.mjs": "export { Circle } from './circle.mjs';\nexport { unit } from './unit.mjs';\n",
      "unit.mjs": "export const unit = 'mm';\n",
      "shape.mjs": "import { unit } from './index.mjs';\nexport class Shape {\n  unit() {\n    return unit;\n  }\n}\n",
    };
    expect((await cycleIn(circleFails, files)).cycle).toMatchObject([{ at: "shape.mjs:1", instead: "unit.mjs" }]);
  });

  it("runs through `require` where a base class is what a file has exported so far", async () => {
    const log =
      "TypeError: Class extends value #<Object> is not a constructor or null\n    at Object.<anonymous> (/app/circle.js:2:22)\n";
    const files = {
      "main.js": "const { draw } = require('./canvas');\ndraw();\n",
      "canvas.js":
        "const Circle = require('./circle');\nconst Shape = require('./shape');\nmodule.exports = { draw: () => [new Circle(), new Shape()] };\n",
      "circle.js": "const Shape = require('./shape');\nclass Circle extends Shape {}\nmodule.exports = Circle;\n",
      "shape.js":
        "const { draw } = require('./canvas');\nclass Shape {\n  redraw() {\n    return draw();\n  }\n}\nmodule.exports = Shape;\n",
    };
    expect((await cycleIn(log, files)).cycle).toMatchObject([
      { at: "shape.js:1", files: ["shape.js", "canvas.js", "circle.js"] },
    ]);
  });

  it.each([
    ["the import is of types", "import type { draw } from './canvas.mjs';"],
    ["every imported name is a type", "import { type draw } from './canvas.mjs';"],
    ["the file is imported while a function runs", "const draw = async () => (await import('./canvas.mjs')).draw();"],
    ["it is imported from a file that wasn't given", "import { draw } from './paper.mjs';"],
  ])("isn't there where %s, which is said", async (_, line) => {
    const shape = `${line}\nexport class Shape {\n  redraw() {\n    return draw();\n  }\n}\n`;
    const files = Object.fromEntries(
      Object.entries({ ...shapes, "shape.mjs": shape }).map(([name, text]) => [
        name.replace(".mjs", ".ts"),
        text.replaceAll(".mjs", ".ts"),
      ]),
    );
    expect(await cycleIn(usedBefore("Shape", "circle.ts:2:29"), files)).toEqual({
      cycle: [],
      open: [{ kind: "no-import-cycle", file: "circle.ts" }],
    });
  });

  it.each([
    [
      "a name of the file itself",
      "const price = tax + 1;\nconst tax = 2;\nimport { draw } from './canvas.mjs';\n",
      "tax",
    ],
    ["a name that shadows an imported one", "import { tax } from './b.mjs';\n{ const tax = tax; }\n", "tax"],
  ])("isn't looked for with %s", async (_, text, name) => {
    const log = usedBefore(name, `a.mjs:${text.startsWith("import") ? "2:15" : "1:15"}`);
    const files = { "a.mjs": text, "b.mjs": "import './a.mjs';\nexport const tax = 1;\n" };
    expect(await cycleIn(log, files)).toEqual({ cycle: [], open: [] });
  });
});

const partial = (name: string, module: string): string =>
  `ImportError: cannot import name '${name}' from partially initialized module '${module}' (most likely due to a circular import) (/app/x.py)\n`;
const imports = (...frames: readonly string[]): string =>
  `Traceback (most recent call last):\n${frames.map((one) => `  File "/app/${one}", line 1, in <module>\n    import\n`).join("")}`;

const shop: Files = {
  "shop/__init__.py": "",
  "shop/app.py": "from shop.orders import total\n\nprint(total([]))\n",
  "shop/orders.py": "from shop.prices import price\n\n\ndef total(lines):\n    return sum(map(price, lines))\n",
  "shop/prices.py": "from shop.orders import total\n\n\ndef price(line):\n    return total(line.parts)\n",
};
const shopFails = imports("shop/app.py", "shop/orders.py", "shop/prices.py") + partial("total", "shop.orders");

describe("the import cycle of a module that is partially initialized", () => {
  it("is closed by the import of a file that loaded before", async () => {
    expect((await cycleIn(shopFails, shop)).cycle).toEqual([
      { at: "shop/prices.py:1", module: "shop.orders", files: ["shop/prices.py", "shop/orders.py"] },
    ]);
  });

  it("names the module that defines what is imported through another one", async () => {
    const files = {
      ...shop,
      "shop/orders.py": `from shop.money import rounded\n${shop["shop/orders.py"]}`,
      "shop/money.py": "def rounded(amount):\n    return round(amount, 2)\n",
      "shop/prices.py": "from shop.orders import rounded\n\n\ndef price(line):\n    return rounded(line.amount)\n",
    };
    const log = imports("shop/app.py", "shop/orders.py", "shop/prices.py") + partial("rounded", "shop.orders");
    expect((await cycleIn(log, files)).cycle).toMatchObject([{ at: "shop/prices.py:1", instead: "shop/money.py" }]);
  });

  it("isn't there for an import in a function or for types only", async () => {
    const later = (first: string): Files => ({
      ...shop,
      "shop/orders.py": `${first}\n\n\ndef total(lines):\n    return sum(map(price, lines))\n`,
    });
    const guarded = later("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shop.prices import price");
    const inner = later("def prices():\n    from shop.prices import price\n    return price");
    for (const files of [guarded, inner])
      expect(await cycleIn(shopFails, files)).toEqual({
        cycle: [],
        open: [{ kind: "no-import-cycle", file: "shop/prices.py" }],
      });
  });

  it("isn't looked for where a file shadows the module that it imports", async () => {
    const log = `${imports("random.py")}AttributeError: partially initialized module 'random' has no attribute 'randint' (most likely due to a circular import)\n`;
    expect(await cycleIn(log, { "random.py": "import random\nprint(random.randint(1, 6))\n" })).toEqual({
      cycle: [],
      open: [],
    });
  });

  it("says nothing of another error in files that import each other", async () => {
    const log = `${imports("shop/app.py", "shop/prices.py")}KeyError: 'parts'\n`;
    const { signals } = await traced(log, shop);
    expect(ofKind(signals, "import-cycle")).toEqual([]);
  });
});
