import { z } from "zod";

/** How a value was made, from the least telling to the most. */
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

export const stepArgs = z.object({
  how: z.enum(valueSources),
  /** What the value is called there. */
  name: z.string(),
  /** The expression. */
  code: z.string(),
});
export type StepArgs = Readonly<z.output<typeof stepArgs>>;

/** Where a value really comes from: after these nothing was handed on. */
export const origins: ReadonlySet<ValueSource> = new Set([
  ...(["environment", "parsed-text", "incoming-body", "outside-answer", "answer-field", "setting", "overrun"] as const),
  ...(["missing-key", "data", "fallback", "computed", "literal", "returns-nothing"] as const),
]);
