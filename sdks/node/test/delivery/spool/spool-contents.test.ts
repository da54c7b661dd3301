import { describe, expect, it } from "vitest";
import { parseSpoolContents } from "../../../src/delivery/spool/spool-contents.ts";

const header = JSON.stringify({ instance: "a1", host: { name: "h" } });
const event = (seq: number, message: string): string => JSON.stringify({ seq, message });

describe("a spool file", () => {
  it("identifies its process on any line, since a rescued one may precede the first", () => {
    const left = parseSpoolContents(["", event(2, "rescued"), header, event(1, "first"), header, ""].join("\n"));
    expect(left?.header.instance).toBe("a1");
    expect(left?.events.map(({ seq }) => seq)).toEqual([2, 1]);
  });

  it("is ignored when no line identifies its process", () => {
    expect(parseSpoolContents(event(1, "unowned"))).toBeUndefined();
  });

  it("contains an event that was written twice in its last version", () => {
    const left = parseSpoolContents([header, event(1, "first"), event(1, "last")].join("\n"));
    expect(left?.events).toEqual([{ seq: 1, json: event(1, "last") }]);
  });
});
