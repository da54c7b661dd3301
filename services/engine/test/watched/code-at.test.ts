import type { Hit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../testing.ts";

const files = {
  "src/plans.js": `export const limitOf = (plan) => plan.limit;
const api = {
  seats: async (plan) => {
    return plan.seats;
  },
};
exports.price = function price(plan) {
  return plan.price;
};
const all = plans.map((plan) => {
  return plan.limit;
});
`,
};
const error = "TypeError: Cannot read properties of undefined (reading 'limit')";
const errorLog = `${error}\n    at limitOf (/app/src/plans.js:1:39)\n`;

/** Returns the function that the next run is to watch for a line. */
async function watchedAt(line: number) {
  const hit = { values: {}, thread: "1-0", nth: 0, at_ms: 1, callers: [], function: null, starts: null };
  const threw: Hit = { ...hit, kind: "threw", error, file: "src/plans.js", line };
  const subject = textSubject(errorLog, files);
  if (subject.input.kind !== "text") throw new Error("no text");
  const observed = { runs: [{ run: 2, places: [], hits: [threw] }] };
  const { report } = await investigated({ ...subject, input: { ...subject.input, observed } });
  const place = report.watch?.find((one) => one.line === line);
  return [place?.function, place?.starts];
}

describe("the head line of a function", () => {
  it.each([
    ["a variable", 1, "limitOf"],
    ["a property", 3, "api.seats"],
    ["a field", 7, "price"],
  ])("belongs to the function that is set to %s", async (_, line, name) => {
    expect(await watchedAt(line)).toEqual([name, line]);
  });

  it("belongs to the code around a function that is passed on", async () => {
    expect(await watchedAt(10)).toEqual([null, null]);
  });
});
