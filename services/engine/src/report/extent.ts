import { minuteMs } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import { ofKind } from "../findings/of-kind.ts";
import { minutesSince } from "../signals/facts/answers.ts";
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
    countedSince: answered?.since ?? null,
    isCountedInPart: answered?.isInPart ?? false,
  };
}

/** Heartbeats come once a minute, so the first that counts only what came later is up to two minutes late. */
const heartbeatsMs = 2 * minuteMs;

/** Requests that a service answered. */
export interface Answered {
  readonly requests: number;
  readonly failed: number;
  /**
   * When counting began: the time asked for, or later where no heartbeat counts what came right after it, as when the
   * process died with its counts, or it is too long ago. RFC 3339.
   */
  readonly since: string;
  /** Whether minutes in between have no count: either there was no request, or the count was lost. */
  readonly isInPart: boolean;
}

/** Returns the requests in the minutes that lie entirely after a time; null when no heartbeat counts any of them. */
export function answeredSince({ observations, event }: Findings, firstSeen: string | null): Answered | null {
  const [answers] = ofKind(observations, "answers");
  if (!answers || firstSeen === null || !event?.request) return null;
  const minutes = minutesSince(answers.fact.minutes, firstSeen);
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  if (requests === 0) return null;
  const from = Math.min(...minutes.map(({ at }) => Date.parse(at))) - minuteMs;
  const isWhole = from - Date.parse(firstSeen) <= heartbeatsMs;
  const isInPart = minutes.some(({ at }, index) => {
    const before = minutes[index - 1];
    return before !== undefined && Date.parse(at) - Date.parse(before.at) > heartbeatsMs;
  });
  return { requests, failed, since: isWhole ? firstSeen : new Date(from).toISOString(), isInPart };
}
