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

describe("what was entered", () => {
  it("is returned as the schema reads it", () => {
    expect(checkFields(schema, { name: "a", quiet_hours: null })).toEqual({ name: "a", emails: [], quiet_hours: null });
  });

  it("is required where the field is empty, whatever the schema says", () => {
    expect(problemsOf({ name: "", quiet_hours: null })).toEqual({ name: "This field is required." });
  });

  it("is refused in a sentence", () => {
    const problems = problemsOf({ name: 5, quiet_hours: null });
    expect(Object.keys(problems)).toEqual(["name"]);
    expect(problems.name).toMatch(/^[A-Z].*\.$/);
  });

  it("is refused at the part of a field where it is entered, and at the field", () => {
    const problems = problemsOf({ name: "a", quiet_hours: { from: "late" } });
    expect(Object.keys(problems)).toEqual(["quiet_hours", "quiet_hours.from"]);
    expect(problems["quiet_hours.from"]).toBe(problems.quiet_hours);
  });

  it("is refused at the field for an entry of a list", () => {
    expect(Object.keys(problemsOf({ name: "a", emails: ["ada"], quiet_hours: null }))).toEqual(["emails"]);
  });
});

describe("the problems of fields", () => {
  it("are those that the page or the service found", () => {
    expect(fieldProblems(new RefusedFields({ name: "Too long." }))).toEqual({ name: "Too long." });
    expect(fieldProblems(new ApiError("no", { status: 422, fields: { name: "Taken." } }))).toEqual({ name: "Taken." });
  });

  it("are none of an error that is about something else", () => {
    for (const error of [null, "a", new Error("a"), new ApiError("a", { status: 500 })]) {
      expect(fieldProblems(error)).toEqual({});
    }
  });
});
