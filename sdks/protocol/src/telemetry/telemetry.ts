import { z } from "zod";
import { levels } from "../level.ts";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";
import { watchedSchema, watchNoteSchema } from "./watch-order.ts";

const text = z.string().max(limits.textLengthMax);
const attributes = z.record(z.string(), z.unknown());

const line = z.int().min(1);

/**
 * The lines of source around a frame's line, as the client read them from disk. One event of a process has all lines of
 * `function`; later ones have only those near the frame's line.
 */
export const sourceContextSchema = z.object({
  /** The 1-based number of the first of `lines`. */
  start_line: line,
  lines: z.array(z.string().max(limits.textLengthMax)).max(limits.contextLinesMax),
  /** The first and last line of the surrounding function; absent outside of a function, or when it is too large. */
  function: z.object({ start_line: line, end_line: line }).optional(),
});
export type SourceContext = z.infer<typeof sourceContextSchema>;

/** One call on the stack, innermost first in `frames`. Lines and columns are 1-based. */
export const frameSchema = z.object({
  file: text.optional(),
  function: text.optional(),
  line: z.int().min(0).optional(),
  column: z.int().min(0).optional(),
  /** False for the runtime and for installed packages. */
  in_app: z.boolean().optional(),
  context: sourceContextSchema.optional(),
  /** The place in the compiled code, when the other fields come from its source map. */
  generated: z.object({ file: text, line: z.int().min(0).optional(), column: z.int().min(0).optional() }).optional(),
  /** Local variables where the error was thrown, by their names in the code that ran. Values are redacted by name. */
  vars: attributes.optional(),
});
export type Frame = z.infer<typeof frameSchema>;

/** One link of a cause chain. Members of an AggregateError follow it, `parent` naming its index. */
export const exceptionSchema = z.object({
  type: text,
  message: z.string().max(limits.messageLengthMax),
  /** The stack as the runtime printed it, with places mapped like those of `frames`; empty when there was none. */
  stack: z.string().max(limits.stackLengthMax),
  frames: z.array(frameSchema).max(limits.framesMax).optional(),
  module: text.optional(),
  /** Own scalar properties such as `code`, `errno`, `syscall`, `status`. */
  properties: attributes.optional(),
  /** Index in `exceptions` of the error that this one caused or that aggregates it; absent for the first. */
  parent: z.int().min(0).optional(),
});
export type Exception = z.infer<typeof exceptionSchema>;

/** Something that happened before an event. `data` of an `http` breadcrumb: {@link httpBreadcrumbDataSchema}. */
export const breadcrumbSchema = z.object({
  timestamp: timestampSchema,
  category: text,
  level: z.enum(levels).optional(),
  message: z.string().max(limits.messageLengthMax).optional(),
  data: attributes.optional(),
  /** `process` when it was recorded outside of any request or job; absent when it belongs to the event's own. */
  scope: z.literal("process").optional(),
});
export type Breadcrumb = z.infer<typeof breadcrumbSchema>;

/** An outgoing request: its method and target, the answer or the error, and its duration. */
export const httpBreadcrumbDataSchema = z.object({
  method: text,
  url: text,
  status_code: z.int().optional(),
  duration_ms: z.number().min(0).optional(),
  error: z.string().optional(),
  error_code: z.string().optional(),
});
export type HttpBreadcrumbData = z.infer<typeof httpBreadcrumbDataSchema>;

export const requestSchema = z.object({
  method: text,
  path: text,
  route: text.optional(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});
export type Request = z.infer<typeof requestSchema>;

/** A value that was replaced before the event was stored: the rule and the place, never the value. */
export const redactionSchema = z.object({
  /**
   * `default-name` for the names of {@link redactedNames}, `added-name` for names that the program added,
   * `private-key` for texts in data that have one,
   * `default-name-at-gateway` for values that had left the program before they were replaced.
   */
  rule: text,
  /** JSON Pointer (RFC 6901) into the event, such as `/request/headers/cookie`. */
  path: text,
});
export type Redaction = z.infer<typeof redactionSchema>;

export const eventTypes = ["exception", "log", "heartbeat", "exit"] as const;

/** One event that a client reports. `seq` counts 1, 2, 3, … within the instance, including dropped events. */
export const eventSchema = z.object({
  id: z.uuid(),
  seq: z.int().min(1),
  type: z.enum(eventTypes),
  timestamp: timestampSchema,
  level: z.enum(levels),
  message: z.string().max(limits.messageLengthMax),
  mechanism: z.object({ type: text, handled: z.boolean() }),
  /** The error, then its causes, outermost first. */
  exceptions: z.array(exceptionSchema).max(limits.exceptionsMax).optional(),
  /** Oldest first. */
  breadcrumbs: z.array(breadcrumbSchema).max(limits.breadcrumbsMax).optional(),
  request: requestSchema.optional(),
  trace: z.object({ trace_id: text, span_id: text }).optional(),
  attributes: attributes.optional(),
  /** The user that the program was working for, such as `{ id, email }`. */
  user: attributes.optional(),
  /** Short facts by name, such as `{ tenant: "acme" }`. */
  tags: z.record(z.string().max(limits.tagNameLengthMax), z.string().max(limits.tagValueLengthMax)).optional(),
  /** Objects of facts by name, such as `{ cart: { items: 3 } }`. */
  contexts: z.record(z.string().max(limits.tagNameLengthMax), attributes).optional(),
  /**
   * Names of the variables that are set in the process's environment, even to an empty text; never a value. All of them,
   * or absent: with some of them, a missing name would say nothing.
   */
  environment_variables: z
    .array(z.string().max(limits.environmentVariableLengthMax))
    .max(limits.environmentVariablesMax)
    .optional(),
  /** What was seen at watched places on the way to it; absent when none were watched. */
  watched: watchedSchema.optional(),
  /** The first replaced values of the event. */
  redactions: z.array(redactionSchema).max(limits.redactionsMax).optional(),
});
export type TelemetryEvent = z.infer<typeof eventSchema>;

/** Why a client dropped an event. */
export const dropReasons = [
  "queue_full",
  "too_large",
  "rate_limited",
  "rejected",
  "network_error",
  "closed",
  "internal_error",
  /** The program's own `beforeSend` dropped it. */
  "before_send",
  /** The program's own `ignoreErrors` matched it. */
  "ignored",
  /** The program's own `sampleRate` excluded it. */
  "sampled_out",
] as const;
export type DropReason = (typeof dropReasons)[number];

/** A range of sequence numbers, both ends included, that will never arrive. */
export const droppedSchema = z
  .object({ from_seq: z.int().min(1), to_seq: z.int().min(1), reason: z.enum(dropReasons) })
  .refine((range) => range.from_seq <= range.to_seq, { path: ["to_seq"], message: "to_seq is below from_seq" });
export type Dropped = z.infer<typeof droppedSchema>;

export const hostSchema = z.object({
  name: text,
  pid: z.int().min(0),
  runtime: z.object({ name: text, version: text }),
  os: text,
  arch: text,
});
export type Host = z.infer<typeof hostSchema>;

/** The fields that all events of a batch share. */
export const batchHeaderSchema = z.object({
  sdk: z.object({ name: text, version: text }),
  service: z.string().min(1).max(limits.serviceLengthMax).default("default"),
  env: z.string().min(1).max(limits.serviceLengthMax).default("PROD"),
  release: text.optional(),
  host: hostSchema,
  sent_at: timestampSchema,
  /** A random id for the lifetime of this process. */
  instance: z.string().min(1).max(limits.serviceLengthMax),
  dropped: z.array(droppedSchema).max(limits.droppedRangesMax).optional(),
  /** Present when the program allows to be asked to watch places. */
  watch: watchNoteSchema.optional(),
});
export type BatchHeader = z.infer<typeof batchHeaderSchema>;

/** A batch whose events aren't validated yet: each is validated on its own, and a bad one is rejected alone. */
export const batchEnvelopeSchema = batchHeaderSchema.extend({
  events: z.array(z.unknown()).max(limits.batchEventsMax),
});

/** The body of `POST /api/telemetry/events`. */
export const batchSchema = batchHeaderSchema.extend({ events: z.array(eventSchema).max(limits.batchEventsMax) });
export type Batch = z.infer<typeof batchSchema>;
