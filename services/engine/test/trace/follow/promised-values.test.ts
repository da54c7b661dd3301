import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

/** What nothing awaits, where `print_label` reads a coroutine from a field of the parcel that `pack` makes. */
async function coroutinesIn(
  pack: string,
  parcel = "@dataclass\nclass Parcel:\n    code: str\n    zone: str\n",
): Promise<object[]> {
  const text = `${parcel}
async def zone_of(town):
    return await lookup(town)

async def pack(order):
    ${pack}

async def main(order):
    print_label(await pack(order))

def print_label(parcel: Parcel):
    return parcel.zone.upper()
`;
  const lines = text.split("\n");
  const lineOf = (code: string): number => lines.findIndex((line) => line.includes(code)) + 1;
  const log = `Traceback (most recent call last):
  File "/srv/pack.py", line ${lineOf("print_label(await")}, in main
  File "/srv/pack.py", line ${lineOf(".upper()")}, in print_label
AttributeError: 'coroutine' object has no attribute 'upper'
`;
  const { signals } = await traced(log, { "pack.py": text });
  return ofKind(signals, "unawaited-value").map(({ args, line }) => ({ ...args, code: lines[line - 1]?.trim() }));
}

describe("a coroutine in a field of an awaited object", () => {
  it.each([
    ["an argument", "return Parcel(order.code, zone_of(order.town))"],
    ["a named argument", "return Parcel(zone=zone_of(order.town), code=order.code)"],
    ["a variable", "zone = zone_of(order.town)\n    return Parcel(order.code, zone)"],
    ["the other side of an `or`", "return Parcel(order.code, order.zone or zone_of(order.town))"],
    ["the fallback of an argument", "return Parcel(order.code, order.get('zone') or zone_of(order.town))"],
    ["a branch", 'return Parcel(order.code, zone_of(order.town) if order.town else "none")'],
  ])("is named where it is created: %s", async (_, pack) => {
    expect(await coroutinesIn(pack)).toEqual([{ callee: "zone_of", read: null, code: pack.split("\n")[0] }]);
  });

  it.each([
    ["is awaited", "return Parcel(order.code, await zone_of(order.town))"],
    ["isn't the field that fails", 'return Parcel(zone_of(order.town), "north")'],
  ])("isn't named where it %s", async (_, pack) => {
    expect(await coroutinesIn(pack)).toEqual([]);
  });
});

it("names a coroutine in an entry of an awaited dictionary", async () => {
  const text = `async def zone_of(town):
    return town

async def pack(order):
    return {"code": 1, "zone": zone_of(order.town)}

async def main(order):
    parcel = await pack(order)
    return parcel["zone"].upper()
`;
  const log = `Traceback (most recent call last):
  File "/srv/pack.py", line 9, in main
AttributeError: 'coroutine' object has no attribute 'upper'
`;
  const { signals } = await traced(log, { "pack.py": text });
  expect(ofKind(signals, "unawaited-value")).toEqual([{ line: 5, args: { callee: "zone_of", read: null } }]);
});

describe("a promise in a field of an awaited object", () => {
  const promisesIn = async (zone: string): Promise<object[]> => {
    const files = {
      "pack.js": `async function zoneOf(town) {\n  return (await lookup(town)).zone;\n}\nasync function pack(order) {\n  return { code: order.code, zone: ${zone} };\n}\nasync function print(order) {\n  const parcel = await pack(order);\n  return parcel.zone.toUpperCase();\n}\n`,
    };
    const signals = await signalsIn(
      files,
      "TypeError: parcel.zone.toUpperCase is not a function",
      "print (/srv/pack.js:9:22)",
    );
    return ofKind(signals, "unawaited-value");
  };

  it.each(["zoneOf(order.town)", "order.zone ?? zoneOf(order.town)", "order.town ? zoneOf(order.town) : null"])(
    "is named where it is created: %s",
    async (zone) => {
      expect(await promisesIn(zone)).toEqual([{ line: 5, args: { callee: "zoneOf", read: "toUpperCase" } }]);
    },
  );

  it("isn't named where it is awaited", async () => {
    expect(await promisesIn("await zoneOf(order.town)")).toEqual([]);
  });
});
