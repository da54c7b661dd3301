import type { Failure } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";

const titleLengthMax = 200;

/** What the analyzer is told: each event with a fingerprint, with enough to decide whether an incident opens. */
export function failuresOf(events: readonly StoredEvent[]): Failure[] {
  return events.filter(({ fingerprint }) => fingerprint !== "").map(failureOf);
}

function failureOf({ event, fingerprint, service, env, release }: StoredEvent): Failure {
  return {
    event_id: event.id,
    fingerprint,
    service,
    env,
    release,
    type: event.type,
    level: event.level,
    title: titleOf(event),
    mechanism: event.mechanism.type,
    handled: event.mechanism.handled,
    at: event.timestamp,
  };
}

function titleOf({ message, exceptions }: StoredEvent["event"]): string {
  const [first] = exceptions ?? [];
  const text = first ? `${first.type}: ${first.message}` : message;
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > titleLengthMax ? `${line.slice(0, titleLengthMax - 1)}…` : line;
}
