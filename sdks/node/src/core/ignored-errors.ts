import { limits } from "@whence/protocol/limits";
import { asText, readProperty } from "../runtime/read-property.ts";
import { classOf, isErrorLike, preview } from "./cause-chain.ts";

/** Errors that aren't reported. A string matches as part of `Name: message`. */
export type IgnoredErrors = readonly (string | RegExp)[];

/** Whether an error, or another thrown value, is ignored. */
export function isIgnored(error: unknown, ignored: IgnoredErrors): boolean {
  return ignored.length > 0 && titlesOf(error).some((title) => isIgnoredText(title, ignored));
}

/** Whether a text is ignored. */
export function isIgnoredText(text: string, ignored: IgnoredErrors): boolean {
  // Bounded, since a pattern may be slow on a long text.
  const start = text.slice(0, limits.textLengthMax);
  return ignored.some((one) => (typeof one === "string" ? start.includes(one) : start.search(one) !== -1));
}

/** Returns the error's possible titles; its class's name stands in for a missing name. */
function titlesOf(error: unknown): string[] {
  if (!isErrorLike(error)) return [preview(error)];
  const message = asText(readProperty(error, "message"));
  return [asText(readProperty(error, "name")), classOf(error)].map((name) => `${name}: ${message}`);
}
