import type { Findings } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import type { AnsweredMinute } from "../telemetry-facts.ts";

const minuteMs = 60_000;
/** Fewer a minute are said with a decimal. */
const wholeFrom = 10;

/**
 * What share of its requests the service fails since the failure was first seen (RFC 3339), in a sentence; what is not
 * known is said to be so, and nothing at all of what is no request. Each heartbeat tells of the minute before it: a
 * failure that is younger is in none yet.
 */
export function failingShare({ observations, event }: Findings, firstSeen: string): string | null {
  const [fact] = observations.flatMap(({ fact: one }) => (one?.kind === "answers" ? [one] : []));
  if (!event?.request) return null;
  if (!fact) return "What share of the requests that is, is not known: no heartbeat counts them.";
  const since = fact.minutes.filter(({ at }) => Date.parse(at) + minuteMs > Date.parse(firstSeen));
  if (since.length === 0) {
    const usual = figure(perMinute(fact.minutes, "requests"));
    return `${inlineCode(event.service)} answered ${usual} requests a minute before; no heartbeat says yet how many fail.`;
  }
  const requests = perMinute(since, "requests");
  const failed = perMinute(since, "failed");
  if (failed === 0) return `None of the ${figure(requests)} requests a minute was answered with 500 or above.`;
  return `${figure(failed)} of ${figure(requests)} requests a minute fail, ${percent(failed / requests)}.`;
}

function perMinute(minutes: readonly AnsweredMinute[], what: "requests" | "failed"): number {
  return minutes.reduce((sum, minute) => sum + minute[what], 0) / minutes.length;
}

function figure(rate: number): string {
  return rate >= wholeFrom ? rate.toFixed(0) : String(Number(rate.toPrecision(2)));
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}
