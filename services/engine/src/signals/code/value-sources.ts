import { z } from "zod";

/** The sources of a value, the least telling first. */
export const valueSources = [
  "parameter",
  "argument",
  "assignment",
  "import",
  "iteration",
  "call",
  "lookup",
  "awaited-call",
  "return",
  "returns-nothing",
  "property",
  "environment",
  "parsed-text",
  "incoming-body",
  "outside-answer",
  "answer-field",
  "setting",
  "overrun",
  "missing-key",
  "data",
  "fallback",
  "computed",
  "literal",
] as const;
export type ValueSource = (typeof valueSources)[number];

/** `target = value` or `key: value`, without casts. */
const assigned = z.object({
  target: z.string(),
  value: z.string(),
  /** Whether the target is a destructuring pattern: `{ url }`, `cfg, _`. */
  isPattern: z.boolean(),
});

export const stepArgs = z.object({
  how: z.enum(valueSources),
  /** The name of the value there. */
  name: z.string(),
  /** The expression. */
  code: z.string(),
  /** Present if the expression sets something. */
  assigned: assigned.optional(),
  /** The variable that the value is read from, and the fields from there; absent for other expressions. */
  path: z.array(z.string()).readonly().optional(),
  /** The fields that a destructuring pattern takes, the outermost first. */
  keys: z.array(z.string()).readonly().optional(),
  /** Whether the environment variable that is read was set; absent when the client didn't say. */
  isSet: z.boolean().optional(),
  /** Present if the data there has another form than the method that is called on it needs. */
  misformed: z.object({ is: z.string(), needs: z.string(), method: z.string() }).readonly().optional(),
  /** Present for an object that is empty there, and that other code adds to. */
  isFilled: z.literal(true).optional(),
  /** Present for a fallback that the value can't have come from, since it has nothing in it. */
  isUnused: z.literal(true).optional(),
  /** Present where the module that it is imported from defines it. */
  isDefined: z.literal(true).optional(),
  /** Present for a text that a condition on something else chooses: it stands in for no value. */
  isChosen: z.literal(true).optional(),
  /** Present for the parameter of a nameless function that is passed to a call: the place names the function around it. */
  isCallback: z.literal(true).optional(),
  /** Present for one of several entries of that key in a data file: which of them was read isn't known. */
  isOneOf: z.literal(true).optional(),
  /** Present if it is imported from a file that wasn't given, so nothing is known of it there. */
  isUnread: z.literal(true).optional(),
});
export type StepArgs = Readonly<z.output<typeof stepArgs>>;

/** The sources where a value originates: nothing is passed on to them. */
export const origins: ReadonlySet<ValueSource> = new Set([
  ...(["environment", "parsed-text", "incoming-body", "outside-answer", "answer-field", "setting", "overrun"] as const),
  ...(["missing-key", "data", "fallback", "computed", "literal", "returns-nothing"] as const),
]);
