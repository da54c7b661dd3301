import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

async function fixFor(log: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const { report } = await investigated(textSubject(log, files));
  const [first] = report.short_term_solutions;
  return `${first?.title}: ${first?.detail}`;
}

describe("where to look without a remedy", () => {
  it("is the file to attach where its code wasn't given", async () => {
    const log = "LabelRefused: too long\n    at print (/app/src/print.js:3:25)\n    at main (/app/src/main.js:4:1)\n";
    expect(await fixFor(log)).toBe(
      "Read `print` (`src/print.js:3`), or attach the file: Its code wasn't given, so nothing there was checked.",
    );
  });

  it("is how the known failure shows at a place without its code", async () => {
    const log =
      "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.total(0x0)\n\t/srv/shop/total.go:9 +0x1d\n";
    expect(await fixFor(log)).toMatch(
      /^Read `main\.total` .*, or attach the file: Check whether the variable .* is nil/,
    );
  });

  it("is the value that a check refuses, with the condition", async () => {
    const files = {
      "src/fare.js":
        "exports.check = function check(fare) {\n  if (fare.zones > 4) throw new RangeError(`${fare.zones} zones`);\n};\n",
      "src/tariff.js": "exports.fareOf = function fareOf(from, to) {\n  return { zones: distance(from, to) };\n};\n",
      "src/main.js":
        "const { fareOf } = require('./tariff');\nconst { check } = require('./fare');\ncheck(fareOf(load(), load()));\n",
    };
    const log =
      "RangeError: 9 zones\n    at check (/app/src/fare.js:2:29)\n    at Object.<anonymous> (/app/src/main.js:3:1)\n";
    expect(await fixFor(log, files)).toBe(
      "Check `distance(from, to)` at `fareOf` (`src/tariff.js:2`): `check` (`src/fare.js:2`) throws when `fare.zones > 4`.",
    );
  });

  const limited = (handed: string) => ({
    "src/refill.mjs": "export function refill(bucket) {\n  return bucket.fresh - 1;\n}\n",
    "src/limiter.mjs": `import { refill } from './refill.mjs';\nexport class Limiter {\n  buckets = new Map();\n  async take(key) {\n    const bucket = this.buckets.get(key);\n    const other = bucket;\n    await this.wait(key);\n    return refill(${handed});\n  }\n}\n`,
    "src/api.mjs":
      "import { Limiter } from './limiter.mjs';\nconst limiter = new Limiter();\nexport const handle = async (request) => {\n  return limiter.take(request.key);\n};\n",
  });
  const refilled =
    "TypeError: Cannot read properties of undefined (reading 'fresh')\n    at refill (/app/src/refill.mjs:2:17)\n    at Limiter.take (/app/src/limiter.mjs:8:12)\n    at async handle (/app/src/api.mjs:4:10)\n";

  it("is why a value is missing where it is handed on by its name", async () => {
    expect(await fixFor(refilled, limited("bucket"))).toBe(
      "Find out why `bucket` is `undefined` at `Limiter.take` (`src/limiter.mjs:8`): ",
    );
  });

  it("doesn't say of a value of another name that it was the one that is missing", async () => {
    expect(await fixFor(refilled, limited("other"))).toBe(
      "Check what `other` is at `Limiter.take` (`src/limiter.mjs:8`): ",
    );
  });

  it("is the call of a package on the way to where it failed", async () => {
    const log =
      "TypeError: Cannot read properties of undefined (reading 'length')\n    at pad (/app/node_modules/pad-all/index.js:4:9)\n    at print (/app/src/print.js:3:25)\n";
    expect(await fixFor(log)).toMatch(
      /^Check what `print` \(`src\/print\.js:3`\) passes on to `pad` \(`node_modules\/pad-all\/index\.js:4`\)/,
    );
  });
});

describe("a call that ended in a package", () => {
  it("isn't said to fail with the error that was thrown there", async () => {
    const log =
      "Error: Bad Parameter\n    at strval (/app/node_modules/xml-writer/lib/xml-writer.js:12:14)\n    at exports.t07 (/app/test/attributes.js:61:11)\n";
    const { report } = await investigated(textSubject(log));
    expect(report.chain.map(({ what }) => what)).toEqual([
      "`strval` (`node_modules/xml-writer/lib/xml-writer.js:12`) fails with `Bad Parameter`",
      "the call comes from `exports.t07` (`test/attributes.js:61`)",
    ]);
  });
});
