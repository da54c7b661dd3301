import { describe, expect, it } from "vitest";
import { parseLeftOvers } from "../../../src/delivery/spool/left-overs.ts";

const header = JSON.stringify({ instance: "a1", host: { name: "h" } });
const event = (seq: number, message: string): string => JSON.stringify({ seq, message });

describe("a file that a process left", () => {
  it("says whose events it holds on any of its lines, since a rescued one may have come before the first", () => {
    const left = parseLeftOvers(["", event(2, "rescued"), header, event(1, "first"), header, ""].join("\n"));
    expect(left?.header.instance).toBe("a1");
    expect(left?.events.map(({ seq }) => seq)).toEqual([2, 1]);
  });

  it("is none when it does not say that at all", () => {
    expect(parseLeftOvers(event(1, "nobody's"))).toBeUndefined();
  });

  it("holds an event that was written twice as it was written last", () => {
    const left = parseLeftOvers([header, event(1, "first"), event(1, "last")].join("\n"));
    expect(left?.events).toEqual([{ seq: 1, json: event(1, "last") }]);
  });
});
