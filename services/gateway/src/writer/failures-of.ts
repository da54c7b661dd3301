import { type Failure, httpBreadcrumbDataSchema, type TelemetryEvent } from "@whence/protocol";
import type { NewMessage, StoredEvent } from "@whence/storage";

const titleLengthMax = 200;
/**
 * One failure repeats `release` and `mechanism`, which are the client's words: at most about 100 kB of JSON. So a
 * message of this and one more stays below the 1 MiB that NATS takes.
 */
const messageBytesMax = 524_288;

/** The messages to the analyzer about a batch, and how many failures they hold. */
export interface FailureMessages {
  readonly messages: readonly NewMessage[];
  readonly count: number;
}

/**
 * The messages to the analyzer about a stored batch: its failures in order, from every environment, since a decision is
 * recorded for each. Null when the batch held none. `id` is the batch's, so the queue takes each message once.
 */
export function failuresOf(id: string, events: readonly StoredEvent[]): FailureMessages | null {
  const failures = events
    .filter(({ fingerprint }) => fingerprint !== "")
    .map((event) => JSON.stringify(toFailure(event)));
  const [first] = events;
  if (failures.length === 0 || first === undefined) return null;
  const scope = JSON.stringify(first.scopeId);
  const messages = grouped(failures).map((group, index) => ({
    id: index === 0 ? id : `${id}:${index}`,
    body: `{"scope_id":${scope},"failures":[${group.join(",")}]}`,
  }));
  return { messages, count: failures.length };
}

/** Texts that follow one another, cut where a group has its bytes. */
function grouped(failures: readonly string[]): string[][] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const failure of failures) {
    if (bytes > messageBytesMax) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(failure);
    bytes += Buffer.byteLength(failure);
  }
  return groups;
}

/** How long before an error a call may have ended and still have to do with it. */
const callBeforeErrorMs = 30_000;
const refusedFrom = 400;

function toFailure({ event, fingerprint, service, env, release }: StoredEvent): Failure {
  const { id: event_id, type, level, mechanism, timestamp: at } = event;
  return {
    ...{ event_id, fingerprint, service, env, release, type, level, at },
    title: titleOf(event),
    mechanism: mechanism.type,
    handled: mechanism.handled,
    ...(event.trace === undefined ? {} : { traced: true }),
    ...(hasFailedCalls(event) ? { has_failed_calls: true } : {}),
  };
}

/** Whether a call that was made shortly before, and for its request if it has one, failed, was refused, or had no answer. */
function hasFailedCalls({ breadcrumbs = [], request, timestamp }: TelemetryEvent): boolean {
  const failedAt = Date.parse(timestamp);
  return breadcrumbs.some(({ category, data, scope, timestamp: at }) => {
    if (scope === "process" && request !== undefined) return false;
    if (category !== "http" || failedAt - Date.parse(at) > callBeforeErrorMs) return false;
    const call = httpBreadcrumbDataSchema.safeParse(data).data;
    return call !== undefined && (call.status_code === undefined || call.status_code >= refusedFrom);
  });
}

/** The error as a runtime prints it, or the log's text: its first line, cut at 200 characters. */
function titleOf({ type, message, exceptions }: TelemetryEvent): string {
  const thrown = exceptions?.[0];
  const text = thrown ? [thrown.type, thrown.message].filter((part) => part !== "").join(": ") : message;
  const line = text.trim().split("\n", 1)[0]?.trim() || type;
  return line.length > titleLengthMax ? `${line.slice(0, titleLengthMax - 1)}…` : line;
}
