import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { boundedBytes } from "../../src/text.ts";
import { validationErrorSchema } from "../../src/validation/validation-error.ts";
import { validationErrors } from "../../src/validation/validation-issues.ts";

function violations(schema: z.ZodType, input: unknown) {
  return validationErrors(schema.safeParse(input).error?.issues ?? [], input, "body");
}

const of = (schema: z.ZodType, input: unknown) => violations(z.object({ field: schema }), { field: input });

describe("a violation", () => {
  it.each<[string, z.ZodType, unknown, object]>([
    ["a missing field", z.string(), undefined, { type: "missing", msg: "Field required" }],
    ["no string", z.string(), 5, { type: "string_type", msg: "Input should be a valid string", input: 5 }],
    ["no number", z.number(), "5", { type: "float_type", msg: "Input should be a valid number", input: "5" }],
    ["no integer", z.int(), 1.5, { type: "int_type", msg: "Input should be a valid integer", input: 1.5 }],
    ["no boolean", z.boolean(), 1, { type: "bool_type", msg: "Input should be a valid boolean", input: 1 }],
    ["no list", z.array(z.string()), "a", { type: "list_type", msg: "Input should be a valid list", input: "a" }],
    ["no object", z.object({}), 7, { type: "dict_type", msg: "Input should be a valid dictionary", input: 7 }],
    [
      "no record",
      z.record(z.string(), z.string()),
      7,
      { type: "dict_type", msg: "Input should be a valid dictionary", input: 7 },
    ],
    [
      "too short a text",
      z.string().min(1),
      "",
      { type: "string_too_short", msg: "String should have at least 1 character", ctx: { min_length: 1 }, input: "" },
    ],
    [
      "too long a text",
      z.string().max(2),
      "abc",
      { type: "string_too_long", msg: "String should have at most 2 characters", ctx: { max_length: 2 }, input: "abc" },
    ],
    [
      "too many bytes",
      boundedBytes(2),
      "éx",
      {
        type: "string_too_long",
        msg: "String should have at most 2 bytes in UTF-8",
        ctx: { max_length: 2 },
        input: "éx",
      },
    ],
    [
      "too short a list",
      z.array(z.int()).min(2),
      [1],
      { type: "too_short", msg: "List should have at least 2 items", ctx: { min_length: 2 } },
    ],
    [
      "too long a list",
      z.array(z.int()).max(1),
      [1, 2],
      { type: "too_long", msg: "List should have at most 1 item", ctx: { max_length: 1 } },
    ],
    [
      "too small a number",
      z.int().min(1),
      0,
      { type: "greater_than_equal", msg: "Input should be greater than or equal to 1", ctx: { ge: 1 }, input: 0 },
    ],
    [
      "too great a number",
      z.number().max(1),
      2,
      { type: "less_than_equal", msg: "Input should be less than or equal to 1", ctx: { le: 1 }, input: 2 },
    ],
    [
      "none of a set",
      z.enum(["a", "b"]),
      "c",
      { type: "enum", msg: "Input should be 'a', 'b'", ctx: { expected: "'a', 'b'" }, input: "c" },
    ],
    [
      "null where nothing may be null",
      z.string(),
      null,
      { type: "string_type", msg: "Input should be a valid string" },
    ],
    ["no format", z.uuid(), "x", { type: "value_error", msg: "Value error, input should be a valid uuid", input: "x" }],
    [
      "none of a union",
      z.union([z.string(), z.array(z.string())]),
      7,
      { type: "union_error", msg: "Input matches none of the allowed types", input: 7 },
    ],
    [
      "a broken rule",
      z.string().refine(() => false, "it is not so"),
      "x",
      { type: "value_error", msg: "Value error, it is not so", input: "x" },
    ],
  ])("is reported as %s", (_name, schema, input, expected) => {
    expect(of(schema, input)).toEqual([{ loc: ["body", "field"], ...expected }]);
  });

  it("is reported at its place, with indexes as numbers", () => {
    const schema = z.object({ files: z.array(z.object({ name: z.string() })) });
    expect(violations(schema, { files: [{ name: "a" }, {}] })).toMatchObject([
      { loc: ["body", "files", 1, "name"], type: "missing" },
    ]);
    expect(violations(schema, [])).toMatchObject([{ loc: ["body"], type: "dict_type" }]);
    expect(violations(schema, undefined)).toEqual([{ loc: ["body"], type: "missing", msg: "Field required" }]);
  });

  it("is reported once per place", () => {
    const schema = z.object({ a: z.string().min(5).startsWith("x"), b: z.string(), "a\u0000b": z.string() });
    expect(violations(schema, { a: "y", b: 1, "a\u0000b": 1 }).map(({ loc }) => loc)).toEqual([
      ["body", "a"],
      ["body", "b"],
      ["body", "a\u0000b"],
    ]);
  });

  it("is reported only among the first 100", () => {
    const schema = z.array(z.string());
    expect(
      violations(
        schema,
        Array.from({ length: 100 }, () => 1),
      ),
    ).toHaveLength(100);
    const beyond = violations(
      schema,
      Array.from({ length: 101 }, () => 1),
    );
    expect(beyond).toHaveLength(100);
    expect(beyond.at(-1)).toMatchObject({ loc: ["body", 99] });
  });

  it("names where it was found", () => {
    const { error } = z.object({ page: z.int() }).safeParse({ page: "x" });
    expect(validationErrors(error?.issues ?? [], { page: "x" }, "query")).toMatchObject([{ loc: ["query", "page"] }]);
  });
});

describe("the echoed input", () => {
  const echoed = (name: string, value: unknown) => violations(z.object({ [name]: z.null() }), { [name]: value })[0];

  it("is up to 200 characters long", () => {
    expect(echoed("field", "x".repeat(200))).toHaveProperty("input", "x".repeat(200));
    expect(echoed("field", "x".repeat(201))).not.toHaveProperty("input");
  });

  it.each(["password", "Authorization", "api_key", "COOKIE", "claim_token", "X-API-Key", "x-api-key"])(
    "is left out for a field called %s",
    (name) => {
      expect(echoed(name, "hunter2")).not.toHaveProperty("input");
    },
  );

  it("is left out below such a field", () => {
    const schema = z.object({ session: z.object({ id: z.string() }) });
    expect(violations(schema, { session: { id: 1_234 } })[0]).not.toHaveProperty("input");
  });

  it.each(["whk_0123456789", "wha_abc", "token whc_xyz"])(
    "is left out when it is one of our keys in the wrong place: %s",
    (value) => {
      expect(echoed("field", value)).not.toHaveProperty("input");
    },
  );

  it.each([[{ password: "hunter2" }], [["hunter2"]]])("is left out when it isn't a single value: %j", (value) => {
    expect(echoed("field", value)).not.toHaveProperty("input");
  });
});

describe("any input", () => {
  const schema = z.object({
    error_log: z.string().min(1).max(5),
    files: z
      .array(z.object({ name: z.string(), content: boundedBytes(5) }))
      .max(2)
      .nullish(),
  });

  it("is answered in the specification's form exactly when it violates its schema", () => {
    const bodies = fc.oneof(
      fc.jsonValue(),
      fc.record({ error_log: fc.jsonValue(), files: fc.jsonValue() }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const found = violations(schema, body);
        expect(found.length === 0).toBe(schema.safeParse(body).success);
        for (const one of found) expect(validationErrorSchema.safeParse(one).success).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
