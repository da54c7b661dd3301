import { type Failure, httpBreadcrumbDataSchema, isShortlyBefore, type TelemetryEvent } from "@whence/protocol";
import type { NewMessage, StoredEvent } from "@whence/storage";

const titleLengthMax = 200;
/**
 * One failure repeats the client's `release` and `mechanism`, about 100 kB of JSON at most, so a message of this size
 * and one more stays below NATS's limit of 1 MiB.
 */
const messageBytesMax = 524_288;

/** The messages to the analyzer about a batch, and their number of failures. */
export interface FailureMessages {
  readonly messages: readonly NewMessage[];
  readonly count: number;
}

/**
 * Returns the messages to the analyzer about a stored batch: its failures in order, from every environment, since a
 * decision is recorded for each. Null when the batch has none. `id` is the batch's, so that the queue accepts each
 * message once.
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

/** Splits texts into consecutive groups of limited size. */
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

const refusedFrom = 400;

function toFailure({ event, fingerprint, service, env, release }: StoredEvent): Failure {
  const { id: event_id, type, level, mechanism, timestamp: at } = event;
  return {
    event_id,
    fingerprint,
    service,
    env,
    release,
    type,
    level,
    at,
    title: titleOf(event),
    mechanism: mechanism.type,
    handled: mechanism.handled,
    ...(event.trace === undefined ? {} : { traced: true }),
    ...(hasFailedCalls(event) ? { has_failed_calls: true } : {}),
    ...(event.watched === undefined || event.watched.hits.length === 0 ? {} : { watch: event.watched.order }),
  };
}

/** Whether a call shortly before, and for the same request if there is one, failed, was refused, or got no answer. */
function hasFailedCalls({ breadcrumbs = [], request, timestamp }: TelemetryEvent): boolean {
  return breadcrumbs.some(({ category, data, scope, timestamp: at }) => {
    if (scope === "process" && request !== undefined) return false;
    if (category !== "http" || !isShortlyBefore(at, timestamp)) return false;
    const call = httpBreadcrumbDataSchema.safeParse(data).data;
    return call !== undefined && (call.status_code === undefined || call.status_code >= refusedFrom);
  });
}

/** Returns the error as a runtime prints it, or the log's text: its first line, cut at 200 characters. */
function titleOf({ type, message, exceptions }: TelemetryEvent): string {
  const thrown = exceptions?.[0];
  const text = thrown ? [thrown.type, thrown.message].filter((part) => part !== "").join(": ") : message;
  const line = text.trim().split("\n", 1)[0]?.trim() || type;
  return line.length > titleLengthMax ? `${line.slice(0, titleLengthMax - 1)}…` : line;
}
