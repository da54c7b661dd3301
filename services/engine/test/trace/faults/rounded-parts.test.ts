import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

const said = "Error: the portions don't add up to the batch";

async function foundIn(portions: string, message = said, condition = "sum !== batch"): Promise<object[]> {
  const text = `function portion(batch, cups) {
  ${portions}
  const sum = parts.reduce((all, one) => all + one, 0);
  if (${condition}) throw new Error(text);
}
`;
  return ofKind(
    await signalsIn({ "mix.js": text }, message, `portion (/srv/mix.js:4:${15 + condition.length})`),
    "rounded-parts",
  );
}

describe("parts that don't add up to a whole", () => {
  it.each([
    "const parts = cups.map((cup) => Math.round(batch * cup.share));",
    "const parts = cups.map((cup) => Number((batch * cup.share).toFixed(2)));",
    "const parts = cups.map(() => Math.floor(batch / cups.length));",
    "const parts = []; for (const cup of cups) parts.push(Math.ceil(cup.share * batch));",
  ])("are rounded one by one: %s", async (portions) => {
    expect(await foundIn(portions)).toEqual([{ line: 2, args: expect.objectContaining({ whole: "batch" }) }]);
  });

  it.each([
    "const parts = cups.map((cup) => batch * cup.share);",
    "const parts = cups.map((cup) => Math.round(cup.grams * 100));",
    "const parts = cups.map((cup) => Math.round(cup.grams / cup.portions));",
    "const parts = cups.map((cup) => Math.round(batch * cup.share)); const remainder = batch - total(parts); parts[0] += remainder;",
    "const parts = [Math.round(batch * share)];",
    "const parts = cups.map((cup, i) => Math.floor(batch / cups.length) + (i < batch % cups.length ? 1 : 0));",
    "const parts = cups.map((cup) => Math.round(batch * cup.share)); parts[0] += batch - total(parts);",
  ])("aren't suspected of %s", async (portions) => {
    expect(await foundIn(portions)).toEqual([]);
  });

  it("are found where the code compares their sum with another value, whatever the error says", async () => {
    const portions = "const parts = cups.map((cup) => Math.round(batch * cup.share));";
    expect(await foundIn(portions, "Error: 128 of 127 grams")).toMatchObject([{ line: 2, args: { whole: "batch" } }]);
  });

  it("aren't looked for where the error is about something else", async () => {
    const portions = "const parts = cups.map((cup) => Math.round(batch * cup.share));";
    expect(await foundIn(portions, "Error: no cups", "sum < 1")).toEqual([]);
  });

  it("aren't suspected where the check is of other values", async () => {
    const text = `function portion(batch, cups, counts) {
  const parts = cups.map((cup) => Math.round(batch * cup.share));
  log(parts);
  if (counts.length !== cups.length) throw new Error("cup counts differ");
}
`;
    const signals = await signalsIn({ "mix.js": text }, "Error: cup counts differ", "portion (/srv/mix.js:4:44)");
    expect(ofKind(signals, "deliberate-throw")).toHaveLength(1);
    expect(ofKind(signals, "rounded-parts")).toEqual([]);
  });

  it("are rounded one by one in a dictionary of Python", async () => {
    const text = `def portion(batch, cups):\n    parts = {cup: round(batch * share) for cup, share in cups.items()}\n    assert sum(parts.values()) == batch, "the sum differs"\n`;
    const log =
      'Traceback (most recent call last):\n  File "/srv/mix.py", line 3, in portion\nAssertionError: the sum differs\n';
    expect(ofKind((await traced(log, { "mix.py": text })).signals, "rounded-parts")).toHaveLength(1);
  });

  it("aren't suspected where Python hands out what a division leaves", async () => {
    const text = `def portion(batch, cups):\n    _, rest = divmod(batch, len(cups))\n    parts = [int(batch / len(cups)) + (i < rest) for i in range(len(cups))]\n    assert sum(parts) == batch, "the sum differs"\n`;
    const log =
      'Traceback (most recent call last):\n  File "/srv/mix.py", line 4, in portion\nAssertionError: the sum differs\n';
    expect(ofKind((await traced(log, { "mix.py": text })).signals, "rounded-parts")).toEqual([]);
  });

  it.each(["[round(batch * cup.share) for cup in cups]", "[int(batch / len(cups)) for cup in cups]"])(
    "are rounded one by one in Python: %s",
    async (portions) => {
      const text = `def portion(batch, cups):\n    parts = ${portions}\n    assert sum(parts) == batch, "the sum differs"\n`;
      const log =
        'Traceback (most recent call last):\n  File "/srv/mix.py", line 3, in portion\nAssertionError: the sum differs\n';
      const found = ofKind((await traced(log, { "mix.py": text })).signals, "rounded-parts");
      expect(found).toEqual([{ line: 2, args: expect.objectContaining({ whole: "batch" }) }]);
    },
  );
});
