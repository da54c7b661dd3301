import type { FailureQuestion } from "./integration.ts";

/** Returns whether a time is in the queried span. */
export function isWithin(at: string, { from, to }: Pick<FailureQuestion, "from" | "to">): boolean {
  const time = Date.parse(at);
  return time >= Date.parse(from) && time <= Date.parse(to);
}
