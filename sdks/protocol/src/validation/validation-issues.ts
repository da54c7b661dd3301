import type { z } from "zod";
import { isRedactedName } from "../redaction.ts";
import type { ValidationError } from "./validation-error.ts";

type Issue = z.core.$ZodIssue;

/** A violation's type, message, and bounds. */
interface Violation {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Record<string, unknown>;
}

/** Characters of an echoed input; a longer one is left out of the answer. */
const inputLengthMax = 200;

/** Violations listed in one answer. */
const violationsMax = 100;

/** Names, other than the headers of rule 5, whose values are secrets. */
const secretNames = new Set(["x-api-key", "claim_token"]);

/** One of our keys or tokens, pasted into the wrong field. */
const secretText = /\bwh[kac]_[0-9A-Za-z]/;

/**
 * Returns zod's issues in the form and wording of the specification's error bodies. `input` is the validated value;
 * only short, non-secret parts of it are echoed.
 */
export function validationErrors(
  issues: readonly Issue[],
  input: unknown,
  where: "body" | "query" | "header",
): ValidationError[] {
  return firstOfEachPath(issues).map((issue) => {
    const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
    const value = valueAt(input, issue.path);
    const isMissing = value === undefined && issue.code !== "unrecognized_keys";
    const violation = isMissing ? { type: "missing", msg: "Field required" } : violationOf(issue);
    return { loc: [where, ...path], ...violation, ...echo(value, path) };
  });
}

/**
 * Keeps one violation per place: a value of the wrong type also has the wrong length, range, and format. A sender who
 * gets everything wrong learns no more from the rest.
 */
function firstOfEachPath(issues: readonly Issue[]): Issue[] {
  const places = new Map<string, Issue>();
  for (const issue of issues) {
    const place = JSON.stringify(issue.path.map(String));
    if (!places.has(place)) places.set(place, issue);
    if (places.size === violationsMax) break;
  }
  return [...places.values()];
}

function violationOf(issue: Issue): Violation {
  switch (issue.code) {
    case "invalid_type":
      return typeViolations[issue.expected] ?? { type: "type_error", msg: `Input should be a valid ${issue.expected}` };
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_value":
      return enumViolation(issue.values.map(String));
    case "invalid_union":
      return issue.errors.length === 0
        ? { type: "union_tag_invalid", msg: "Input tag is none of the expected ones" }
        : { type: "union_error", msg: "Input matches none of the allowed types" };
    case "invalid_format":
      return { type: "value_error", msg: `Value error, input should be a valid ${issue.format}` };
    default:
      return { type: "value_error", msg: `Value error, ${issue.message}` };
  }
}

const typeViolations: Readonly<Record<string, Violation>> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  number: { type: "float_type", msg: "Input should be a valid number" },
  int: { type: "int_type", msg: "Input should be a valid integer" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  object: { type: "dict_type", msg: "Input should be a valid dictionary" },
  record: { type: "dict_type", msg: "Input should be a valid dictionary" },
};

function tooSmall({ origin, minimum }: Extract<Issue, { code: "too_small" }>): Violation {
  const bound = Number(minimum);
  if (origin === "string") {
    const msg = `String should have at least ${characters(bound)}`;
    return { type: "string_too_short", msg, ctx: { min_length: bound } };
  }
  if (origin === "array") {
    return { type: "too_short", msg: `List should have at least ${items(bound)}`, ctx: { min_length: bound } };
  }
  return { type: "greater_than_equal", msg: `Input should be greater than or equal to ${bound}`, ctx: { ge: bound } };
}

function tooBig({ origin, maximum, message }: Extract<Issue, { code: "too_big" }>): Violation {
  const bound = Number(maximum);
  if (origin === "string") {
    const msg = message.includes("bytes") ? message : `String should have at most ${characters(bound)}`;
    return { type: "string_too_long", msg, ctx: { max_length: bound } };
  }
  if (origin === "array") {
    return { type: "too_long", msg: `List should have at most ${items(bound)}`, ctx: { max_length: bound } };
  }
  return { type: "less_than_equal", msg: `Input should be less than or equal to ${bound}`, ctx: { le: bound } };
}

function enumViolation(values: readonly string[]): Violation {
  const expected = values.map((value) => `'${value}'`).join(", ");
  return { type: "enum", msg: `Input should be ${expected}`, ctx: { expected } };
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

function items(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}

/** Returns the value at a path; undefined when there is none. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    return Reflect.get(value, key);
  }, input);
}

function echo(value: unknown, path: readonly (string | number)[]): { input?: unknown } {
  if (value === undefined || typeof value === "object") return {};
  const text = String(value);
  if (text.length > inputLengthMax || path.some(isSecretName) || secretText.test(text)) return {};
  return { input: value };
}

function isSecretName(key: string | number): boolean {
  return typeof key === "string" && (isRedactedName(key) || secretNames.has(key.toLowerCase()));
}
