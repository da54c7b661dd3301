import { describe, expect, it } from "vitest";
import { stepsOf, traced } from "../signals-in.ts";

/** The lines on which the values that a check compares are set, in the order in which they are followed. */
async function order(data: string, message = "call 9004: 127 of 128 seconds"): Promise<number[]> {
  const files = {
    "check.js": [
      "export function check(call, parts) {",
      "  const wanted = call.seconds;",
      "  const sum = total(parts);",
      "  if (wanted !== sum) {",
      "    throw new Error(`call ${call.id}: ${wanted} of ${sum} seconds`);",
      "  }",
      "}",
    ].join("\n"),
    "calls.json": data,
  };
  const { signals } = await traced(`Error: ${message}\n    at check (/srv/check.js:5:11)\n`, files);
  const set = stepsOf(signals).filter((step) => step.startsWith("assignment check.js"));
  return set.map((step) => Number(step.split(":")[1]));
}

describe("the value that a check found wrong", () => {
  it("is followed before the one that stands in the data", async () => {
    expect(await order('[{ "id": 9004, "seconds": 127 }]')).toEqual([3, 2]);
  });

  it.each([
    ["neither stands there", '[{ "id": 9004, "seconds": 1127 }]'],
    ["both stand there", '[{ "id": 9004, "seconds": 127, "paid": 128 }]'],
    ["only the other one does", '[{ "id": 9004, "seconds": 128 }]'],
  ])("isn't known where %s", async (_, data) => {
    expect(await order(data)).toEqual([2, 3]);
  });

  it("isn't known where the message is another", async () => {
    expect(await order('[{ "id": 9004, "seconds": 127 }]', "seconds differ: 127, 128")).toEqual([2, 3]);
  });
});
