import {
  type BatchHeader,
  batchEnvelopeSchema,
  eventSchema,
  limits,
  type TelemetryEvent,
  utf8Length,
  type ValidationError,
  validationErrors,
} from "@whence/protocol";
import { InvalidBatch } from "../plugins/error-handler.ts";

/** An event that was not taken, and why. */
export interface RejectedEvent {
  /** Its place in the batch's `events`. */
  readonly index: number;
  readonly id?: string;
  readonly detail: readonly ValidationError[];
}

export interface ValidatedBatch {
  readonly header: BatchHeader;
  readonly accepted: readonly TelemetryEvent[];
  readonly rejected: readonly RejectedEvent[];
}

/** Checks a batch as a whole, then each event by itself: a bad one costs its neighbours nothing. */
export function validateBatch(body: unknown): ValidatedBatch {
  const envelope = batchEnvelopeSchema.safeParse(body);
  if (!envelope.success) throw new InvalidBatch(validationErrors(envelope.error.issues, body, "body"));
  const { events, ...header } = envelope.data;
  const accepted: TelemetryEvent[] = [];
  const rejected: RejectedEvent[] = [];
  for (const [index, event] of events.entries()) {
    const result = validateEvent(event);
    if ("event" in result) accepted.push(result.event);
    else rejected.push({ index, ...idOf(event), detail: result.detail });
  }
  return { header, accepted, rejected };
}

function validateEvent(input: unknown): { event: TelemetryEvent } | { detail: ValidationError[] } {
  const parsed = eventSchema.safeParse(input);
  if (!parsed.success) return { detail: validationErrors(parsed.error.issues, input, "body") };
  if (utf8Length(JSON.stringify(parsed.data)) > limits.eventBytesMax) {
    const msg = `Value error, an event has at most ${limits.eventBytesMax} bytes as JSON`;
    return { detail: [{ loc: ["body"], type: "value_error", msg }] };
  }
  return { event: parsed.data };
}

function idOf(event: unknown): { id?: string } {
  const id: unknown = typeof event === "object" && event !== null && "id" in event ? event.id : undefined;
  return typeof id === "string" ? { id: id.slice(0, 100) } : {};
}
