import type { FailureMessage } from "@whence/protocol";
import type { ControlDb, Occurrences } from "@whence/storage";
import { decideFailure } from "../intake/decide.ts";
import { type FailureGroup, groupFailures } from "../intake/failure-group.ts";
import type { AnalyzerMetrics } from "../metrics.ts";

/** How long after a rule set of fingerprints was replaced a failure is still known by its former name. */
const formerNameMs = 30 * 86_400_000;

export interface FailureContext {
  readonly control: ControlDb;
  readonly clock: () => number;
  readonly relayOutbox: () => void;
  readonly metrics: AnalyzerMetrics;
}

/**
 * Decides about each failure of one message, all its occurrences together, the worst failure first: opened, joined or
 * skipped. Doing it twice changes nothing.
 */
export function failureHandler({
  control,
  clock,
  relayOutbox,
  metrics,
}: FailureContext): (message: FailureMessage) => Promise<void> {
  return async (message) => {
    const { failures, thresholds } = control.scope(message.scope_id);
    const chosen = await thresholds.read();
    for (const group of groupFailures(message.failures)) {
      const now = new Date(clock());
      const { outcome, rule } = await failures.decide(occurrencesOf(group, now), (known) =>
        decideFailure(group, known, chosen, now),
      );
      metrics.incidents.inc({ outcome, rule });
    }
    relayOutbox();
  };
}

function occurrencesOf({ worst, times }: FailureGroup, now: Date): Occurrences {
  const { fingerprint, former_fingerprint: former, service, env, event_id: eventId } = worst;
  const at = (ms: number | undefined): string => (ms === undefined ? worst.at : new Date(ms).toISOString());
  return {
    ...{ fingerprint, service, env, eventId, now },
    ...(former === undefined
      ? {}
      : { former: { fingerprint: former, seenSince: new Date(now.getTime() - formerNameMs) } }),
    events: times.length,
    firstAt: at(times[0]),
    lastAt: at(times.at(-1)),
  };
}
