import {
  type BatchHeader,
  batchEnvelopeSchema,
  eventSchema,
  limits,
  type TelemetryEvent,
  type ValidationError,
  ValidationFailure,
  validationErrors,
} from "@whence/protocol";
import { hashUser, isHashed } from "./hash-user.ts";
import { isPlainEvent } from "./plain-batch.ts";
import { isRedacted, redactEvent } from "./redact.ts";

/** The maximum nesting of objects and lists in an event. Deeper ones aren't readable, and recursion needs a limit. */
export const nestingMax = 100;
/** A longer id is invalid, and isn't echoed. */
const echoedIdLengthMax = 64;

/** A rejected event, by its index in the batch, and the reason. */
export interface RejectedEvent {
  readonly index: number;
  readonly id?: string;
  /** `loc` is relative to the event. */
  readonly detail: readonly ValidationError[];
}

/** An event, and the same as JSON. */
export interface WrittenEvent {
  readonly event: TelemetryEvent;
  readonly text: string;
}

/** An accepted event, redacted, with its user hashed. Its JSON has at most `limits.eventBytesMax`. */
export type AcceptedEvent = WrittenEvent;

/** A batch that was made of another client's telemetry, with its events as JSON. */
export interface MadeBatch {
  readonly header: BatchHeader;
  readonly events: readonly WrittenEvent[];
}

export interface ValidatedBatch {
  readonly header: BatchHeader;
  readonly accepted: readonly AcceptedEvent[];
  readonly rejected: readonly RejectedEvent[];
  /** Sequence numbers of rejected events, where readable. */
  readonly rejectedSeqs: readonly number[];
}

/**
 * Validates a batch event by event, and hashes their users with the key, if there is one. Throws a
 * {@link ValidationFailure} when the batch's own fields are invalid.
 */
export function validateBatch(body: unknown, userKey: string | null): ValidatedBatch {
  const envelope = batchEnvelopeSchema.safeParse(body);
  if (!envelope.success) throw new ValidationFailure(validationErrors(envelope.error.issues, body, "body"));
  const { events, ...header } = envelope.data;
  const results = events.map((event) => ({ event, result: validateEvent(event, userKey) }));
  return { header, ...byOutcome(results) };
}

/** The same of a batch that the gateway itself made of another client's telemetry. */
export function validateMade({ header, events }: MadeBatch, userKey: string | null): ValidatedBatch {
  const results = events.map((made) => {
    const { event, text } = made;
    return { event, result: isAsKept(event, userKey) ? bounded(event, text) : validateEvent(event, userKey) };
  });
  return { header, ...byOutcome(results) };
}

type Refusal = { readonly detail: readonly ValidationError[] };

interface Result {
  readonly event: unknown;
  readonly result: AcceptedEvent | Refusal;
}

function byOutcome(results: readonly Result[]): Omit<ValidatedBatch, "header"> {
  const accepted: AcceptedEvent[] = [];
  const rejected: RejectedEvent[] = [];
  const rejectedSeqs: number[] = [];
  for (const [index, { event, result }] of results.entries()) {
    if ("text" in result) accepted.push(result);
    else {
      rejected.push({ index, ...idOf(event), detail: result.detail });
      rejectedSeqs.push(...seqOf(event));
    }
  }
  return { accepted, rejected, rejectedSeqs };
}

function isAsKept(event: TelemetryEvent, userKey: string | null): boolean {
  return isPlainEvent(event) && isHashed(event, userKey) && isRedacted(event, nestingMax);
}

function validateEvent(event: unknown, userKey: string | null): AcceptedEvent | Refusal {
  const isPlain = isPlainEvent(event);
  if (isPlain && isHashed(event, userKey) && isRedacted(event, nestingMax)) return bounded(event);
  if (isNestedBeyond(event, nestingMax)) {
    return { detail: [eventViolation("value_error", `Value error, more than ${nestingMax} levels of nesting`)] };
  }
  if (isPlain) return bounded(hashUser(redactEvent(event), userKey));
  const parsed = eventSchema.safeParse(event);
  if (parsed.success) return bounded(hashUser(redactEvent(parsed.data), userKey));
  return { detail: validationErrors(parsed.error.issues, event, "body") };
}

function bounded(event: TelemetryEvent, text: string = JSON.stringify(event)): AcceptedEvent | Refusal {
  if (Buffer.byteLength(text) <= limits.eventBytesMax) return { event, text };
  const msg = `Event should have at most ${limits.eventBytesMax} bytes as JSON`;
  return { detail: [{ ...eventViolation("too_long", msg), ctx: { max_length: limits.eventBytesMax } }] };
}

function eventViolation(type: string, msg: string): ValidationError {
  return { loc: ["body"], msg, type };
}

function idOf(event: unknown): { id?: string } {
  if (typeof event !== "object" || event === null || !("id" in event)) return {};
  return typeof event.id === "string" && event.id.length <= echoedIdLengthMax ? { id: event.id } : {};
}

/** Returns the sequence number in a list, or an empty list. */
function seqOf(event: unknown): readonly number[] {
  if (typeof event !== "object" || event === null || !("seq" in event)) return [];
  const { seq } = event;
  return typeof seq === "number" && Number.isSafeInteger(seq) && seq >= 1 ? [seq] : [];
}

function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isNestedBeyond(inner, levels - 1));
}
