import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

/** What nothing awaits where `print_label` gets its parcel from a queue. */
async function coroutinesIn(parcel: string, pack: string): Promise<object[]> {
  const files = {
    "parcel.py": `${parcel}\n`,
    "pack.py": `from parcel import Parcel\n\nasync def zone_of(town):\n    return town\n\nasync def pack(queue, order):\n    ${pack}\n    await queue.put(parcel)\n`,
    "print.py":
      "from parcel import Parcel\n\nasync def run(queue):\n    parcel = await queue.get()\n    print_label(parcel)\n\ndef print_label(parcel: Parcel):\n    return parcel.zone.upper()\n",
  };
  const log = `Traceback (most recent call last):\n  File "/srv/print.py", line 5, in run\n  File "/srv/print.py", line 8, in print_label\nAttributeError: 'coroutine' object has no attribute 'upper'\n`;
  const { signals } = await traced(log, files);
  return ofKind(signals, "unawaited-value");
}

const declared = "@dataclass(frozen=True)\nclass Parcel:\n    code: str\n    zone: str";
const constructed =
  "class Parcel:\n    def __init__(self, code, zone):\n        self.code = code\n        self.zone = zone";
const found = [{ line: 7, args: { callee: "zone_of", read: null } }];

describe("a coroutine in a field of an object that came through a queue", () => {
  it.each([
    ["by its position", declared, "parcel = Parcel(order.code, zone_of(order.town))"],
    ["by its name", declared, "parcel = Parcel(code=order.code, zone=zone_of(order.town))"],
    ["by a constructor", constructed, "parcel = Parcel(order.code, zone_of(order.town))"],
    ["in place of a missing value", declared, "parcel = Parcel(order.code, order.zone or zone_of(order.town))"],
    ["in a branch", declared, "parcel = Parcel(1, zone_of(order.town) if order.town else 'none')"],
  ])("is named where it fills the field: %s", async (_, parcel, pack) => {
    expect(await coroutinesIn(parcel, pack)).toEqual(found);
  });

  it.each([
    ["is awaited", "parcel = Parcel(order.code, await zone_of(order.town))"],
    ["fills another field", "parcel = Parcel(zone_of(order.town), order.zone)"],
  ])("isn't named where it %s", async (_, pack) => {
    expect(await coroutinesIn(declared, pack)).toEqual([]);
  });
});

describe("a promise in a field of an object that came through a queue", () => {
  const promisesIn = async (zone: string, other = ""): Promise<object[]> => {
    const files = {
      "print.js": "export function print(parcel) {\n  return parcel.zone.toUpperCase();\n}\n",
      "pack.js": `async function zoneOf(town) {\n  return town.zone;\n}\nexport function pack(queue, order) {\n  queue.send({ code: order.code, zone: ${zone} });\n}\n${other}`,
    };
    const error = "TypeError: parcel.zone.toUpperCase is not a function";
    return ofKind(await signalsIn(files, error, "print (/srv/print.js:2:22)"), "unawaited-value");
  };

  it.each(["zoneOf(order.town)", "order.zone ?? zoneOf(order.town)"])(
    "is named where it fills the field: %s",
    async (zone) => {
      expect(await promisesIn(zone)).toEqual([{ line: 5, args: { callee: "zoneOf", read: "toUpperCase" } }]);
    },
  );

  it("isn't named where it is awaited", async () => {
    expect(await promisesIn("await zoneOf(order.town)")).toEqual([]);
  });
});
