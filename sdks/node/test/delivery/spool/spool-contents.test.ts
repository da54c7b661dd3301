import { describe, expect, it } from "vitest";
import { parseSpoolContents } from "../../../src/delivery/spool/spool-contents.ts";

const header = JSON.stringify({ instance: "a1", host: { name: "h" } });
const event = (seq: number, message: string): string => JSON.stringify({ seq, message });

describe("a file that a process left", () => {
  it("says whose events it holds on any of its lines, since a rescued one may have come before the first", () => {
    const left = parseSpoolContents(["", event(2, "rescued"), header, event(1, "first"), header, ""].join("\n"));
    expect(left?.header.instance).toBe("a1");
    expect(left?.events.map(({ seq }) => seq)).toEqual([2, 1]);
  });

  it("is none when it does not say that at all", () => {
    expect(parseSpoolContents(event(1, "unowned"))).toBeUndefined();
  });

  it("holds an event that was written twice as it was written last", () => {
    const left = parseSpoolContents([header, event(1, "first"), event(1, "last")].join("\n"));
    expect(left?.events).toEqual([{ seq: 1, json: event(1, "last") }]);
  });
});
