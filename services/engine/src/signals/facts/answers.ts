import { minuteMs } from "@whence/protocol";
import { z } from "zod";
import { count, inlineCode } from "../../words/prose.ts";
import { factKind, partOfWhole } from "./fact-kind.ts";

/** The requests counted by the heartbeats of one minute, each covering the minute before it. */
const answeredMinute = z
  .object({
    /** The full minute in which the heartbeats arrived. RFC 3339. */
    at: z.string(),
    requests: z.number(),
    /** How many were answered with 500 or above. */
    failed: z.number(),
  })
  .readonly();
export type AnsweredMinute = z.output<typeof answeredMinute>;

export const answers = factKind({
  name: "answers",
  means: "How many requests a service answered, and how many with a server error",
  data: z.object({ service: z.string(), minutes: z.array(answeredMinute).readonly() }),
  example: { service: "orders", minutes: [{ at: "2026-03-01T10:00:00.000Z", requests: 120, failed: 48 }] },
  evidence: ({ service, minutes }) => {
    const [first, last] = [minutes[0]?.at, minutes.at(-1)?.at];
    const span = first === undefined || last === undefined ? "" : ` (${heartbeatsText(first, last)})`;
    return `${inlineCode(service)} answered ${failedOf(minutes)} of ${count(requestsOf(minutes), "request")} with a server error${span}`;
  },
  figures: ({ minutes }) => [requestsOf(minutes), failedOf(minutes)],
  isComputed: true,
  problems: ({ minutes }) => {
    const worst = minutes.find(({ requests, failed }) => failed > requests);
    return worst ? partOfWhole(worst.failed, worst.requests) : [];
  },
  isMoment: () => false,
});

function requestsOf(minutes: readonly AnsweredMinute[]): number {
  return minutes.reduce((sum, { requests }) => sum + requests, 0);
}

function failedOf(minutes: readonly AnsweredMinute[]): number {
  return minutes.reduce((sum, { failed }) => sum + failed, 0);
}

function heartbeatsText(first: string, last: string): string {
  return first === last ? `heartbeats of ${first}` : `heartbeats from ${first} to ${last}`;
}

/** A heartbeat counts the minute before it, so its count is after the first failure only when that minute is. */
export function minutesSince(minutes: readonly AnsweredMinute[], firstSeen: string): readonly AnsweredMinute[] {
  return minutes.filter(({ at }) => Date.parse(at) - minuteMs >= Date.parse(firstSeen));
}
