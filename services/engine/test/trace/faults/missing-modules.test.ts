import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const files = {
  "src/cart.js": 'import { taxOf } from "./tax-rates.js";\n\nexport const total = (net) => net + taxOf(net);\n',
  "src/pay.cjs": 'const fs = require("node:fs");\nconst stripe = require("stripe");\n',
};
const loader = "finalizeResolution (node:internal/modules/esm/resolve:275:11)";

describe("a module that the runtime didn't find", () => {
  it("is named where the importing file that the message names imports it", async () => {
    const message = "Error: Cannot find module '/srv/src/tax-rates.js' imported from /srv/src/cart.js";
    expect(ofKind(await signalsIn(files, message, loader), "missing-module")).toEqual([
      { line: 1, args: { module: "tax-rates" } },
    ]);
  });

  it("is named where the first file of the require stack requires it", async () => {
    const message = "Error: Cannot find module 'stripe'\nRequire stack:\n- /srv/src/pay.cjs\n- /srv/src/cart.js";
    expect(ofKind(await signalsIn(files, message, loader), "missing-module")).toEqual([
      { line: 2, args: { module: "stripe" } },
    ]);
  });

  it.each([
    ["the importing file wasn't given", "Error: Cannot find module 'stripe' imported from /srv/src/other.js"],
    ["the importing file doesn't contain its name", "Error: Cannot find module 'redis' imported from /srv/src/cart.js"],
  ])("isn't named if %s", async (_, message) => {
    expect(ofKind(await signalsIn(files, message, loader), "missing-module")).toEqual([]);
  });
});

describe("a missing module of JavaScript", () => {
  it.each([
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/src/synonyms.js' imported from /app/src/search.js",
    "Error: Cannot find module './synonyms'\nRequire stack:\n- /app/src/search.js\n- /app/src/main.js",
  ])("is named with the file that imports it: %j", async (message) => {
    const files = {
      "src/search.js": 'import { products } from "./products.js";\nimport { synonyms } from "./synonyms.js";\n',
      "src/other.js": 'const text = "synonyms";\n',
    };
    const { signals } = await traced(`${message}\n    at node:internal/modules/esm/resolve:274:11`, files);
    expect(signals.map(({ kind, subject }) => `${kind} ${subject.file}:${subject.line}`)).toContain(
      "missing-module src/search.js:2",
    );
  });
});
