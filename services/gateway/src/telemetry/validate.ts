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

/** Objects and lists within one another in an event. Beyond it nobody reads, and recursion below would be unbounded. */
const nestingMax = 100;
/** A longer id is no id, and is not said back. */
const echoedIdLengthMax = 64;

/** An event that was not taken, by its place in the batch, and why. */
export interface RejectedEvent {
  readonly index: number;
  readonly id?: string;
  /** `loc` starts at the event. */
  readonly detail: readonly ValidationError[];
}

export interface ValidatedBatch {
  readonly header: BatchHeader;
  readonly accepted: readonly TelemetryEvent[];
  readonly rejected: readonly RejectedEvent[];
}

/** Looks at a batch event by event. Throws a {@link ValidationFailure} when the batch around them is not valid. */
export function validateBatch(body: unknown): ValidatedBatch {
  const envelope = batchEnvelopeSchema.safeParse(body);
  if (!envelope.success) throw new ValidationFailure(validationErrors(envelope.error.issues, body, "body"));
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

function validateEvent(event: unknown): { event: TelemetryEvent } | { detail: ValidationError[] } {
  if (isNestedBeyond(event, nestingMax)) {
    return { detail: [eventViolation("value_error", `Value error, more than ${nestingMax} levels of nesting`)] };
  }
  if (Buffer.byteLength(JSON.stringify(event)) > limits.eventBytesMax) {
    const msg = `Event should have at most ${limits.eventBytesMax} bytes as JSON`;
    return { detail: [{ ...eventViolation("too_long", msg), ctx: { max_length: limits.eventBytesMax } }] };
  }
  const parsed = eventSchema.safeParse(event);
  if (parsed.success) return { event: parsed.data };
  return { detail: validationErrors(parsed.error.issues, event, "body") };
}

function eventViolation(type: string, msg: string): ValidationError {
  return { loc: ["body"], msg, type };
}

function idOf(event: unknown): { id?: string } {
  if (typeof event !== "object" || event === null || !("id" in event)) return {};
  return typeof event.id === "string" && event.id.length <= echoedIdLengthMax ? { id: event.id } : {};
}

function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isNestedBeyond(inner, levels - 1));
}
