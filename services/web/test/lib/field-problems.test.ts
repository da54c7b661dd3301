import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ApiError } from "../../src/lib/api-client.ts";
import { checkFields, fieldProblems, RefusedFields } from "../../src/lib/field-problems.ts";

const schema = z.object({
  name: z.string().min(1),
  emails: z.array(z.email()).default([]),
  quiet_hours: z.object({ from: z.string().regex(/^\d\d:\d\d$/) }).nullable(),
});

function problemsOf(entered: object): Readonly<Record<string, string>> {
  try {
    checkFields(schema, entered);
  } catch (error) {
    return fieldProblems(error);
  }
  return {};
}

describe("entered values", () => {
  it("are returned as parsed by the schema", () => {
    expect(checkFields(schema, { name: "a", quiet_hours: null })).toEqual({ name: "a", emails: [], quiet_hours: null });
  });

  it("are required where a field is empty, whatever the schema says", () => {
    expect(problemsOf({ name: "", quiet_hours: null })).toEqual({ name: "This field is required." });
  });

  it("are rejected in a sentence", () => {
    const problems = problemsOf({ name: 5, quiet_hours: null });
    expect(Object.keys(problems)).toEqual(["name"]);
    expect(problems.name).toMatch(/^[A-Z].*\.$/);
  });

  it("are rejected at the part of a field where they are entered, and at the field", () => {
    const problems = problemsOf({ name: "a", quiet_hours: { from: "late" } });
    expect(Object.keys(problems)).toEqual(["quiet_hours", "quiet_hours.from"]);
    expect(problems["quiet_hours.from"]).toBe(problems.quiet_hours);
  });

  it("are rejected at the field for an entry of a list", () => {
    expect(Object.keys(problemsOf({ name: "a", emails: ["ada"], quiet_hours: null }))).toEqual(["emails"]);
  });
});

describe("the problems of fields", () => {
  it("are those found by the page or the service", () => {
    expect(fieldProblems(new RefusedFields({ name: "Too long." }))).toEqual({ name: "Too long." });
    expect(fieldProblems(new ApiError("no", { status: 422, fields: { name: "Taken." } }))).toEqual({ name: "Taken." });
  });

  it("are empty for an error about something else", () => {
    for (const error of [null, "a", new Error("a"), new ApiError("a", { status: 500 })]) {
      expect(fieldProblems(error)).toEqual({});
    }
  });
});
