import type { Failure, Severity } from "@whence/protocol";
import type { Occurrences } from "@whence/storage";

/** Occurrences of one failure in one environment that are decided about together; at least one. */
export interface FailureGroup {
  /** The worst of them, the first among equals: the incident opens with it. */
  readonly worst: Failure;
  readonly severity: Severity;
  /** When they happened, in milliseconds since the epoch, in ascending order. */
  readonly times: readonly number[];
  /** The release of the last one. */
  readonly release: string;
  /**
   * Whether any occurrence has a trace, and whether any followed failed calls. If so, the failure may be a consequence
   * of another.
   */
  readonly traced: boolean;
  readonly hasFailedCalls: boolean;
}

const ranks: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2, critical: 3 };

/** A severity as a number from 0 to 3. */
export function severityRank(severity: Severity): number {
  return ranks[severity];
}

/** A dead process is worse than a failed request, which is worse than a line in a log. */
export function severityOf(failure: Pick<Failure, "handled" | "level" | "type">): Severity {
  if (!failure.handled) return "critical";
  if (failure.level === "critical") return "high";
  return failure.type === "exception" ? "medium" : "low";
}

/** Groups a message's occurrences by failure, the worst first: limits that run out should hit the others. */
export function groupFailures(failures: readonly Failure[]): FailureGroup[] {
  const groups = Map.groupBy(failures, ({ fingerprint, env }) => `${fingerprint} ${env}`);
  return [...groups.values()].map(toGroup).toSorted((left, right) => rankOf(right) - rankOf(left));
}

/** A group as its failure's occurrences are stored. */
export function occurrencesOf({ worst, times, release }: FailureGroup, now: Date): Occurrences {
  const { fingerprint, service, env, event_id: eventId } = worst;
  const at = (ms: number | undefined): string => (ms === undefined ? worst.at : new Date(ms).toISOString());
  return {
    fingerprint,
    service,
    env,
    release,
    eventId,
    now,
    events: times.length,
    firstAt: at(times[0]),
    lastAt: at(times.at(-1)),
  };
}

function toGroup(failures: readonly Failure[]): FailureGroup {
  const inTime = failures.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  const [worst] = inTime.toSorted((left, right) => severityRank(severityOf(right)) - severityRank(severityOf(left)));
  if (!worst) throw new TypeError("a group holds at least one failure");
  return {
    worst,
    severity: severityOf(worst),
    times: inTime.map(({ at }) => Date.parse(at)),
    release: inTime.at(-1)?.release ?? "",
    traced: inTime.some(({ traced }) => traced),
    hasFailedCalls: inTime.some(({ has_failed_calls: hasFailedCalls }) => hasFailedCalls),
  };
}

function rankOf({ severity }: FailureGroup): number {
  return severityRank(severity);
}
