import type { Redaction } from "@whence/protocol";

/** Fields of an event whose values were replaced by one rule. */
export interface LeftOut {
  readonly rule: string;
  readonly fields: readonly { readonly name: string; readonly times: number }[];
}

/** Returns the redactions of an event by rule, each field once; the entries of a list count as one field. */
export function leftOutByRule(redactions: readonly Redaction[]): LeftOut[] {
  const rules = Map.groupBy(redactions, ({ rule }) => rule);
  return [...rules].map(([rule, redactions]) => ({
    rule,
    fields: [...Map.groupBy(redactions, ({ path }) => fieldName(path))].map(([name, { length: times }]) => ({
      name,
      times,
    })),
  }));
}

const index = /^\d+$/;

/**
 * Returns `request.headers.authorization` for the JSON Pointer `/request/headers/authorization`, without list indexes.
 */
function fieldName(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && !index.test(part))
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}
