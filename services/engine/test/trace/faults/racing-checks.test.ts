import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

const text = `export async function take(jars, count) {
  const free = await jars.free();
  if (free < count) throw new Full();
  await label(count);
  await jars.change(-count);
}
`;

describe("a check that others may pass before the change", () => {
  it.each(["NegativeStock: -2 jars left", "Error: stock is -1", "Error: remaining: -3", "Error: -1 available"])(
    "is found where the amount is below zero: %s",
    async (message) => {
      const frames = ["Jars.change (/srv/jars.js:3:9)", "take (/srv/take.js:5:14)"];
      const found = ofKind(await signalsIn({ "take.js": text }, message, ...frames), "racing-check");
      expect(found).toEqual([{ line: 2, args: expect.objectContaining({ act: "jars.change" }) }]);
    },
  );

  it("isn't looked for where the error is about something else", async () => {
    const frames = ["Jars.change (/srv/jars.js:3:9)", "take (/srv/take.js:5:14)"];
    expect(ofKind(await signalsIn({ "take.js": text }, "Error: no label", ...frames), "racing-check")).toEqual([]);
  });
});
