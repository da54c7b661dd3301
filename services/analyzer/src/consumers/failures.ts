import type { Failure, FailureMessage } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { decideFailure } from "../intake/decide.ts";
import type { AnalyzerMetrics } from "../metrics.ts";

export interface FailureContext {
  readonly control: ControlDb;
  readonly clock: () => number;
  readonly relayOutbox: () => void;
  readonly metrics: AnalyzerMetrics;
}

/** Decides about each failure of one message: opened, joined or skipped. Doing it twice changes nothing. */
export function failureHandler({
  control,
  clock,
  relayOutbox,
  metrics,
}: FailureContext): (message: FailureMessage) => Promise<void> {
  return async (message) => {
    const { failures } = control.scope(message.scope_id);
    for (const failure of telling(message.failures)) {
      const { fingerprint, service, env, event_id: eventId, at } = failure;
      const now = new Date(clock());
      const { outcome } = await failures.decide({ fingerprint, service, env, eventId, at, now }, (known) =>
        decideFailure(failure, known, now),
      );
      metrics.incidents.inc({ outcome });
    }
    relayOutbox();
  };
}

/** The first and the last occurrence of each failure: a thousand of one are two decisions, not a thousand. */
function telling(failures: readonly Failure[]): Failure[] {
  const groups = Map.groupBy(failures, ({ fingerprint, env }) => `${fingerprint} ${env}`);
  return [...groups.values()].flatMap((group) =>
    group.length > 1 ? [...group.slice(0, 1), ...group.slice(-1)] : group,
  );
}
