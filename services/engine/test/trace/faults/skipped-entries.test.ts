import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const log = `Traceback (most recent call last):
  File "/srv/shop.py", line 12, in total
    return prices[code]
KeyError: 'tea'
`;

/** What is skipped where `prices` is filled, in a loop of this body. */
async function skippedIn(body: string, use = "prices[code]"): Promise<object[]> {
  const loop = body.split("\n").map((line) => `        ${line}\n`);
  const filler = Array.from({ length: 7 - loop.length }, () => "# no more\n");
  const text = `def load(rows):\n    prices = {}\n    for row in rows:\n${loop.join("")}    return prices\n${filler.join("")}def total(code, rows):\n    prices = load(rows)\n    return ${use}\n`;
  const at = text.split("\n").indexOf(`    return ${use}`) + 1;
  const { signals } = await traced(log.replace("line 12", `line ${at}`), { "shop.py": text });
  return ofKind(signals, "skipped-entry");
}

describe("an entry that is skipped where its collection is filled", () => {
  it.each([
    "try:\n    prices[row[0]] = int(row[1])\nexcept ValueError:\n    pass",
    "try:\n    prices[row[0]] = int(row[1])\nexcept ValueError as error:\n    log.warning(error)",
    "try:\n    price = int(row[1])\nexcept ValueError:\n    continue\nprices[row[0]] = price",
  ])("is found: %s", async (body) => {
    const args = { code: "int(row[1])", into: "prices", isLast: false };
    expect(await skippedIn(body)).toEqual([{ line: expect.any(Number), args }]);
  });

  it("is named once by the call that makes it", async () => {
    const body =
      "try:\n    if known(row): prices[row[0]] = int(row[1])\nexcept ValueError:\n    pass\nexcept IndexError:\n    pass";
    expect(await skippedIn(body)).toMatchObject([{ args: { code: "int(row[1])", into: "prices" } }]);
  });

  it("takes the rest with it where the loop ends", async () => {
    const body = "try:\n    price = int(row[1])\nexcept ValueError:\n    break\nprices[row[0]] = price";
    expect(await skippedIn(body)).toEqual([{ line: 6, args: { code: "int(row[1])", into: "prices", isLast: true } }]);
  });

  it.each([
    ["the error is passed on", "try:\n    prices[row[0]] = int(row[1])\nexcept ValueError:\n    raise"],
    [
      "a default is stored",
      "try:\n    prices[row[0]] = int(row[1])\nexcept ValueError:\n    prices[row[0]] = fallback",
    ],
    ["nothing is skipped", "prices[row[0]] = int(row[1])"],
    ["the end of the input is meant", "try:\n    prices[row[0]] = next(row)\nexcept StopIteration:\n    break"],
    ["the entry is optional", "try:\n    prices[row] = rows.pop(row)\nexcept KeyError:\n    continue"],
    ["another collection is filled", "try:\n    other[row[0]] = int(row[1])\nexcept ValueError:\n    pass"],
  ])("isn't suspected where %s", async (_, body) => {
    expect(await skippedIn(body)).toEqual([]);
  });

  it("isn't suspected where only the object that has the collection is read", async () => {
    const text =
      "class Shop:\n    def load(self, rows):\n        for row in rows:\n            try:\n                self.prices[0].append(int(row))\n            except ValueError:\n                continue\n\n    def total(self, code):\n        names = self.names\n        return names[code]\n";
    const { signals } = await traced(log.replace("line 12", "line 11").replace("prices[code]", "names[code]"), {
      "shop.py": text,
    });
    expect(ofKind(signals, "skipped-entry")).toEqual([]);
  });

  it("is found in JavaScript and Ruby, in the function that each element is passed to", async () => {
    const script = {
      "shop.js": `function load(rows) {\n  const prices = {};\n  rows.forEach((row) => {\n    try {\n      prices[row.code] = parse(row);\n    } catch {}\n  });\n  return prices;\n}\nfunction total(code, rows) {\n  const prices = load(rows);\n  return prices[code].cents;\n}\n`,
    };
    const undefinedRead = "TypeError: Cannot read properties of undefined (reading 'cents')";
    expect(ofKind(await signalsIn(script, undefinedRead, "total (/srv/shop.js:12:23)"), "skipped-entry")).toEqual([
      { line: 6, args: { code: "parse(row)", into: "prices", isLast: false } },
    ]);
    const ruby = {
      "shop.rb": `def load(rows)\n  prices = {}\n  rows.each do |row|\n    prices[row[0]] = Integer(row[1])\n  rescue ArgumentError\n    next\n  end\n  prices\nend\ndef total(code, rows)\n  prices = load(rows)\n  prices[code].cents\nend\n`,
    };
    const { signals } = await traced(
      "/srv/shop.rb:12:in `total': undefined method `cents' for nil:NilClass (NoMethodError)\n",
      ruby,
    );
    expect(ofKind(signals, "skipped-entry")).toEqual([
      { line: 5, args: { code: "Integer(row[1])", into: "prices", isLast: false } },
    ]);
  });

  it("is found in Go after a check of the error", async () => {
    const text = `package main\n\nfunc load(rows []string) []int {\n\tvar prices []int\n\tfor _, row := range rows {\n\t\tprice, err := strconv.Atoi(row)\n\t\tif err != nil {\n\t\t\tcontinue\n\t\t}\n\t\tprices = append(prices, price)\n\t}\n\treturn prices\n}\n\nfunc total(rows []string) int {\n\tprices := load(rows)\n\treturn prices[2]\n}\n`;
    const panic =
      "panic: runtime error: index out of range [2] with length 2\n\ngoroutine 1 [running]:\nmain.total(...)\n\t/srv/shop.go:17 +0x1d\n";
    const found = async (one: string) => ofKind((await traced(panic, { "shop.go": one })).signals, "skipped-entry");
    expect(await found(text)).toEqual([
      { line: 7, args: { code: "strconv.Atoi(row)", into: "prices", isLast: false } },
    ]);
    expect(await found(text.replace("continue", "return nil"))).toEqual([]);
  });
});
