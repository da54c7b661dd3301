import { describe, expect, it } from "vitest";
import { choiceName, chosenOf } from "../../src/lib/chosen.ts";
import { enteredCount, enteredLines, enteredNumber } from "../../src/lib/entered.ts";

describe("entered lines", () => {
  it("are those that aren't blank, trimmed", () => {
    expect(enteredLines("  cart \n\n\tcheckout\r\n \n")).toEqual(["cart", "checkout"]);
  });

  it("are empty for an empty field", () => {
    expect(enteredLines("")).toEqual([]);
    expect(enteredLines(" \n ")).toEqual([]);
  });

  it("keep the space within them", () => {
    expect(enteredLines("the shop")).toEqual(["the shop"]);
  });
});

describe("an entered number", () => {
  it("is a number, with a fraction or a sign, and with space around it", () => {
    expect(["5", " 2.5 ", "-1", "0"].map(enteredNumber)).toEqual([5, 2.5, -1, 0]);
  });

  it("stays text when it isn't one, for the schema to reject", () => {
    expect(["", " ", "five", "5 h", "1,000"].map(enteredNumber)).toEqual(["", " ", "five", "5 h", "1,000"]);
  });
});

describe("an entered count", () => {
  it("is a whole number", () => {
    expect(["30", " 7 ", "007"].map(enteredCount)).toEqual([30, 7, 7]);
  });

  it("is null for an empty field", () => {
    expect(["", "  "].map(enteredCount)).toEqual([null, null]);
  });

  it("stays text when it isn't one, for the schema to reject", () => {
    expect(["-1", "2.5", "many"].map(enteredCount)).toEqual(["-1", "2.5", "many"]);
  });
});

describe("the chosen options", () => {
  const options = [{ value: "completed" }, { value: "failed" }, { value: "opened" }] as const;

  it("are those whose checkbox is in the form, in the order of the options", () => {
    const fields = { "events.opened": "on", "events.completed": "on", name: "On call" };
    expect(chosenOf(fields, "events", options)).toEqual(["completed", "opened"]);
  });

  it("exclude another choice of the form", () => {
    expect(chosenOf({ "triggers.failed": "on" }, "events", options)).toEqual([]);
    expect(chosenOf({}, "events", options)).toEqual([]);
  });

  it("are found by the name of their checkbox", () => {
    expect(chosenOf({ [choiceName("events", "failed")]: "on" }, "events", options)).toEqual(["failed"]);
  });
});
