import type { Failure, FailureMessage, TelemetryEvent } from "@whence/protocol";
import type { NewMessage, StoredEvent } from "@whence/storage";

const titleLengthMax = 200;

/** What the analyzer is told of a batch, and how many failures that is. */
export interface FailuresToTell {
  readonly message: NewMessage;
  readonly count: number;
}

/**
 * What the analyzer is told of a stored batch: its failures, in their order, of every environment, since a decision is
 * recorded about each. Null when it held none. `id` is the batch's, so that the queue takes it once.
 */
export function failuresOf(id: string, scopeId: string, events: readonly StoredEvent[]): FailuresToTell | null {
  const failures = events.filter(({ fingerprint }) => fingerprint !== "").map(toFailure);
  if (failures.length === 0) return null;
  const message: FailureMessage = { scope_id: scopeId, failures };
  return { message: { id, body: JSON.stringify(message) }, count: failures.length };
}

function toFailure({ event, fingerprint, service, env, release }: StoredEvent): Failure {
  const { id: event_id, type, level, mechanism, timestamp: at } = event;
  return {
    ...{ event_id, fingerprint, service, env, release, type, level, at },
    title: titleOf(event),
    mechanism: mechanism.type,
    handled: mechanism.handled,
  };
}

/** The error as a runtime prints it, or the log's text: its first line, cut at 200 characters. */
function titleOf({ type, message, exceptions }: TelemetryEvent): string {
  const thrown = exceptions?.[0];
  const text = thrown ? [thrown.type, thrown.message].filter((part) => part !== "").join(": ") : message;
  const line = text.trim().split("\n", 1)[0]?.trim() || type;
  return line.length > titleLengthMax ? `${line.slice(0, titleLengthMax - 1)}…` : line;
}
