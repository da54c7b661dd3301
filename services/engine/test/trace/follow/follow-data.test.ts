import { describe, expect, it } from "vitest";
import { endsOf, type Files, ofKind, signalsIn, stepsOf, traced, undefinedRead } from "../signals-in.ts";

const python = (line: number, text: string) =>
  `Traceback (most recent call last):\n  File "/srv/tray.py", line ${line}, in put\n    ${text}\nIndexError: list assignment index out of range\n`;
const cases: readonly (readonly [file: string, log: string, files: Files])[] = [
  [
    "Tray.java",
    "java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 3\n\tat Tray.put(Tray.java:7)\n",
    {
      "Tray.java":
        "class Tray {\n  private final String[] products;\n  Tray(int slots) {\n    products = new String[slots];\n  }\n  void put(int slot, Box box) {\n    products[slot] = box.poll();\n  }\n  void clear() {\n    products[0] = Labels.empty();\n  }\n}\n",
    },
  ],
  [
    "tray.go",
    "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.put(...)\n\t/srv/tray.go:7 +0x1d\n",
    {
      "tray.go":
        "package main\n\nfunc put(slot int, box *Box) []string {\n\tproducts := make([]string, box.size)\n\n\tproducts[0] = labels.empty()\n\tproducts[slot] = box.poll()\n\treturn products\n}\n",
    },
  ],
  [
    "tray.py",
    python(4, "products[slot] = box.poll()"),
    {
      "tray.py":
        "def put(slot, box):\n    products = [None] * box.size()\n    products[0] = labels.empty()\n    products[slot] = box.poll()\n",
    },
  ],
];

describe("a list that an index is past the end of", () => {
  it.each(cases)(
    "is written to, and leads to its size, not to what is written to its elements: %s",
    async (file, log, files) => {
      const { signals } = await traced(log, files);
      expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "products", use: "write" });
      const codes = signals.map(({ args }) => JSON.stringify(args)).join("\n");
      expect(codes).toContain(file === "Tray.java" ? "new String[slots]" : "box.size");
      expect(codes).not.toMatch(/poll|empty/);
    },
  );

  it("leads to where elements are added to it, and not to what they are", async () => {
    const log =
      'Traceback (most recent call last):\n  File "/srv/tray.py", line 5, in <module>\n    rows[9]\nIndexError: list index out of range\n';
    const files = { "tray.py": "row = read()\nrows = []\nrows.append(row)\n\nrows[9]\n" };
    const steps = stepsOf((await traced(log, files)).signals);
    expect(steps).toContain("argument tray.py:3");
    expect(steps.join("\n")).not.toContain("tray.py:1");
  });
});

describe("a value that is missing under a key that the code computes", () => {
  const files: Files = {
    "rates.json": '{\n  "zones": {\n    "eu": { "fee": 4 }\n  }\n}\n',
    "fees.js": `import { readFileSync } from "node:fs";
const { zones } = JSON.parse(readFileSync("rates.json", "utf8"));
const codes = ["EU", "US"];
export function feeOf(zone) {
  return zones[codes[zone]].fee;
}
`,
  };
  it("isn't what the data is accused of, which has the table", async () => {
    const signals = await signalsIn(files, undefinedRead("fee"), "feeOf (/srv/fees.js:5:29)");
    expect(stepsOf(signals)).not.toContain("data rates.json:2");
    expect(endsOf(signals).join()).toContain("fees.js:3");
  });

  it("is read from the data under a key that is written out", async () => {
    const text = files["fees.js"]?.replace("zones[codes[zone]]", "zones.us") ?? "";
    const signals = await signalsIn({ ...files, "fees.js": text }, undefinedRead("fee"), "feeOf (/srv/fees.js:5:19)");
    expect(stepsOf(signals).join()).toContain("rates.json:");
  });
});

describe("a data file", () => {
  const lacking = async (key: string): Promise<object[]> => {
    const files = {
      "show.js": `const rows = JSON.parse(readFileSync("rows.json", "utf8"));\nrows.${key}.toFixed();\n`,
      "rows.json": '[\n  { "name": "a" }\n]\n',
    };
    const signals = await signalsIn(files, undefinedRead("toFixed"), `show (/srv/show.js:2:${key.length + 7})`);
    return ofKind(signals, "value-step").filter(({ args }) => "how" in args && args.how === "missing-key");
  };

  it("may lack a key", async () => {
    expect(await lacking("weight")).toHaveLength(1);
  });

  it("doesn't lack the length that every list has", async () => {
    expect(await lacking("length")).toEqual([]);
  });
});
