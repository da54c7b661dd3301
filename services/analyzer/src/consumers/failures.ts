import type { Failure, FailureMessage } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { decideFailure } from "../intake/decide.ts";

/** Decides about each failure of one message: opened, joined or skipped. Doing it twice changes nothing. */
export function failureHandler(
  control: ControlDb,
  clock: () => number,
  relayOutbox: () => void,
): (message: FailureMessage) => Promise<void> {
  return async (message) => {
    const { failures } = control.scope(message.scope_id);
    for (const failure of telling(message.failures)) {
      const { fingerprint, service, env, event_id: eventId, at } = failure;
      const now = new Date(clock());
      await failures.decide({ fingerprint, service, env, eventId, at, now }, (known) =>
        decideFailure(failure, known, now),
      );
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
