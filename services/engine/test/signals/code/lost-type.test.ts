import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../testing.ts";

const cache = (kept: string, given: string): string =>
  `const kept = new Map();\nexport async function remembered(key, load) {\n  const text = kept.get(key);\n  if (text !== undefined) return ${given};\n  const value = await load();\n  kept.set(key, ${kept});\n  return value;\n}\n`;
const log = `TypeError: contract.until.getFullYear is not a function
    at renewalOf (file:///srv/src/renewals.mjs:4:25)
`;
const files = {
  "src/contracts.mjs":
    "export async function loadContract(id) {\n  return { id, until: new Date('2026-03-31T00:00:00Z') };\n}\n",
  "src/renewals.mjs":
    "import { remembered } from './cache.mjs';\nexport async function renewalOf(id) {\n  const contract = await remembered(id, () => loadContract(id));\n  return contract.until.getFullYear() + 1;\n}\nimport { loadContract } from './contracts.mjs';\n",
};

describe("a value that was written as JSON and read back", () => {
  it("is named with the type that it lost, where it is read back", async () => {
    const { report } = await investigated(
      textSubject(log, { ...files, "src/cache.mjs": cache("JSON.stringify(value)", "JSON.parse(text)") }),
    );
    expect(report.root_cause).toMatchObject({
      category: "type-mismatch",
      location: { file: "src/cache.mjs", line: 4 },
      statement: expect.stringContaining("reads a `Date` back with `JSON.parse`, which doesn't restore `getFullYear`"),
    });
  });

  it("isn't named when the cache keeps the object itself", async () => {
    const { report } = await investigated(textSubject(log, { ...files, "src/cache.mjs": cache("value", "text") }));
    expect(report.root_cause.statement).not.toContain("reads a `Date` back");
  });

  it("isn't named when nothing here wrote the text", async () => {
    const { report } = await investigated(
      textSubject(log, { ...files, "src/cache.mjs": cache("value", "JSON.parse(text)") }),
    );
    expect(report.root_cause.statement).not.toContain("reads a `Date` back");
  });

  it("is named in Python, too", async () => {
    const text = `Traceback (most recent call last):
  File "/srv/billing/bill.py", line 5, in bill_for
    return usage["until"].strftime("%B")
           ^^^^^^^^^^^^^^^^^^^^^^^
AttributeError: 'str' object has no attribute 'strftime'
`;
    const python = {
      "billing/bill.py":
        'from billing.cache import usage_of\n\ndef bill_for(meter):\n    usage = usage_of(meter)\n    return usage["until"].strftime("%B")\n',
      "billing/cache.py":
        "import json\n\nfrom billing.meters import read_usage\n\nKEPT = {}\n\n\ndef usage_of(meter):\n    if meter not in KEPT:\n        KEPT[meter] = json.dumps(read_usage(meter), default=str)\n    return json.loads(KEPT[meter])\n",
      "billing/meters.py":
        'from datetime import datetime\n\n\ndef read_usage(meter):\n    return {"meter": meter, "until": datetime(2025, 1, 1)}\n',
    };
    const { report } = await investigated(textSubject(text, python));
    expect(report.root_cause).toMatchObject({
      category: "type-mismatch",
      location: { file: "billing/cache.py", line: 11, function: "usage_of" },
    });
  });
});
