import type { FailureQuestion } from "./integration.ts";

/** Whether a time lies in the span that is asked about. */
export function isWithin(at: string, { from, to }: Pick<FailureQuestion, "from" | "to">): boolean {
  const time = Date.parse(at);
  return time >= Date.parse(from) && time <= Date.parse(to);
}
