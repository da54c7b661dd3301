import type { Findings } from "../findings/findings.ts";
import { ofKind } from "../findings/of-kind.ts";
import { type AnsweredMinute, minutesSince } from "../signals/facts/answers.ts";
import { requestText } from "./failure.ts";
import type { Extent } from "./messages/headline.ts";

/** Returns how often the failure occurred, since when, and in how many requests. */
export function extentOf(findings: Findings): Extent {
  const [totals] = ofKind(findings.observations, "totals");
  const firstSeen = totals?.fact.impact.first_seen ?? findings.event?.at ?? null;
  const answered = answeredSince(findings, firstSeen);
  return {
    request: requestText(findings),
    service: findings.event?.service ?? null,
    events: totals?.fact.impact.events ?? (findings.event ? 1 : null),
    firstSeen,
    requests: answered?.requests ?? null,
    failed: answered?.failed ?? null,
  };
}

/** Returns the requests in the minutes that lie entirely after a time; null when no heartbeat counts any of them. */
export function answeredSince(
  { observations, event }: Findings,
  firstSeen: string | null,
): { readonly requests: number; readonly failed: number; readonly minutes: readonly AnsweredMinute[] } | null {
  const [answers] = ofKind(observations, "answers");
  if (!answers || firstSeen === null || !event?.request) return null;
  const minutes = minutesSince(answers.fact.minutes, firstSeen);
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  return requests === 0 ? null : { requests, failed, minutes };
}
