import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";
import { SourceText } from "../../../src/source/source-text.ts";
import { traceError } from "../../../src/trace/trace-error.ts";
import { ofKind } from "../signals-in.ts";

const files = {
  "print.py": "def print_label(parcel):\n    return parcel.zone.upper()\n",
  "pack.py": `from zones import Zones

async def pack(broker, zones: Zones, order):
    if order.town:
        broker.send(Parcel(order.code, zones.of_town(order.town)))
    else:
        broker.send(Parcel(order.code, zones.of_country(order.country)))
`,
  "zones.py":
    "class Zones:\n    async def of_town(self, town):\n        return town\n\n    async def of_country(self, country):\n        return country\n",
};
const log =
  "Traceback (most recent call last):\n  File \"/srv/print.py\", line 2, in print_label\n    return parcel.zone.upper()\nAttributeError: 'coroutine' object has no attribute 'upper'\n";

/** What is noted where the client copied the parcel that failed. */
async function unawaitedIn(parcel: object): Promise<object[]> {
  const error = parseText(log);
  const exceptions = error.exceptions.map((one) => ({
    ...one,
    frames: one.frames.map((frame) => ({ ...frame, variables: { parcel } })),
  }));
  const sources = Object.entries(files).map(([name, text]) => new SourceText("source_file", name, text));
  const { signals } = await traceError({ ...error, exceptions }, null, sources);
  return ofKind(signals, "unawaited-value");
}

describe("a coroutine that the client found in the field that failed", () => {
  it("was created by the only call of its function that nothing awaits", async () => {
    const parcel = { "<type>": "Parcel", code: "A", zone: "<coroutine Zones.of_country>" };
    expect(await unawaitedIn(parcel)).toEqual([{ line: 7, args: { callee: "of_country", read: null } }]);
  });

  it.each([
    ["another field has it", { "<type>": "Parcel", code: "<coroutine Zones.of_country>", zone: "<coroutine>" }],
    ["nothing names it", { "<type>": "Parcel", code: "A", zone: "<coroutine>" }],
    ["the code doesn't call its function", { "<type>": "Parcel", code: "A", zone: "<coroutine Zones.of_port>" }],
  ])("isn't named where %s", async (_, parcel) => {
    expect(await unawaitedIn(parcel)).toEqual([]);
  });
});
