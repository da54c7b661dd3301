import type { ParsedException } from "../findings/parsed-error.ts";

/** Messages of failed conversions, which quote the text that couldn't be read. */
const quoting: readonly RegExp[] = [
  /\bFor input string: "([^"]{1,60})"/,
  /\binvalid literal for int\(\) with base \d{1,2}: '([^']{1,60})'/,
  /\bcould not convert string to float: '([^']{1,60})'/,
  /\binvalid value for (?:Integer|Float)\(\): "([^"]{1,60})"/,
  /\bstrconv\.\w{1,20}: parsing "([^"]{1,60})"/,
];

/** Returns the text that couldn't be read, as an error states it; null when it states none. */
export function statedValue({ message, properties }: Pick<ParsedException, "message" | "properties">): string | null {
  const { code, input } = properties;
  if (code === "ERR_INVALID_URL" && typeof input === "string" && input.length <= inputUnitsMax) return input;
  return quoting.flatMap((pattern) => pattern.exec(message)?.[1] ?? [])[0] ?? null;
}

const inputUnitsMax = 60;

/** Returns the name that a runtime of Ruby or Python suggests for a missing one; null when it suggests none. */
export function suggestedName({ message }: Pick<ParsedException, "message">): string | null {
  return /\bDid you mean\?\s+(\S{1,60})|\bDid you mean: '([^']{1,60})'\?/.exec(message)?.slice(1).find(Boolean) ?? null;
}
