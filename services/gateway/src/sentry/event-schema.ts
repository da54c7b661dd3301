import { limits } from "@whence/protocol";
import { z } from "zod";
import { sentryLimits } from "./sentry-limits.ts";

/** Of a stack with too many calls, the outermost ones that stay: they name the entry point. */
const outerFramesKept = 10;

/** A field that is left out when it is null or not what it should be: clients differ, and the rest is worth keeping. */
function lenient<Value>(schema: z.ZodType<Value>) {
  return schema
    .nullish()
    .catch(undefined)
    .transform((value) => value ?? undefined);
}

type Items = readonly unknown[];

// Checked without looking at each item: a body may have hundreds of thousands of them.
const anyItems = z.custom<Items>((value) => Array.isArray(value));
const fields = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const first =
  (max: number) =>
  (items: Items): Items =>
    items.slice(0, max);
const last =
  (max: number) =>
  (items: Items): Items =>
    items.slice(-max);

/**
 * A list, also as `{ values: […] }`, cut before its items are parsed, and without those that aren't what they should
 * be.
 */
function listOf<Value>(schema: z.ZodType<Value>, cut: (items: Items) => Items) {
  const items = z.union([anyItems, z.object({ values: anyItems }).transform(({ values }) => values)]);
  return lenient(
    items.transform((list) =>
      cut(list).flatMap((item) => {
        const parsed = schema.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      }),
    ),
  );
}

/** The innermost calls, and the outermost ones, which come first. */
function keptFrames(frames: Items): Items {
  if (frames.length <= limits.framesMax) return frames;
  return [...frames.slice(0, outerFramesKept), ...frames.slice(outerFramesKept - limits.framesMax)];
}

const text = lenient(z.union([z.string(), z.number(), z.boolean()]).transform(String));
/** Some clients send an empty name for one that they don't know. */
const name = text.transform((value) => (value === "" ? undefined : value));
const whole = lenient(z.int().min(0));
const flag = lenient(z.boolean());
const lines = (cut: (items: Items) => Items) => lenient(anyItems.transform(cut).pipe(z.array(z.string())));
/** Seconds since 1970, or RFC 3339. */
const time = lenient(z.union([z.number(), z.string()]));

/** The first pairs by name, also as a list of `[name, value]`. */
const pairs = (max: number) =>
  lenient(
    z.union([
      anyItems.transform((list) =>
        list.slice(0, max).flatMap((pair) => {
          const [name, value] = Array.isArray(pair) ? pair : [];
          return typeof name === "string" ? [[name, value] as [string, unknown]] : [];
        }),
      ),
      fields.transform((object) => Object.entries(object).slice(0, max)),
    ]),
  );

const frameSchema = z.object({
  filename: name,
  abs_path: name,
  module: name,
  function: name,
  lineno: whole,
  colno: whole,
  in_app: flag,
  pre_context: lines(last(limits.contextLinesMax)),
  context_line: lenient(z.string()),
  post_context: lines(first(limits.contextLinesMax)),
  vars: lenient(fields),
});
export type SentryFrame = z.infer<typeof frameSchema>;

const exceptionSchema = z.object({
  type: name,
  value: text,
  module: name,
  /** Outermost call first. */
  stacktrace: lenient(z.object({ frames: listOf(frameSchema, keptFrames) })),
  mechanism: lenient(
    z.object({
      type: text,
      handled: flag,
      exception_id: whole,
      parent_id: whole,
      is_exception_group: flag,
    }),
  ),
});
export type SentryException = z.infer<typeof exceptionSchema>;

const breadcrumbSchema = z.object({
  timestamp: time,
  type: text,
  category: text,
  level: text,
  message: text,
  data: lenient(fields),
});
export type SentryBreadcrumb = z.infer<typeof breadcrumbSchema>;

const requestSchema = z.object({ url: text, method: text, headers: pairs(sentryLimits.headersMax) });
export type SentryRequestFields = z.infer<typeof requestSchema>;

const named = lenient(z.object({ name: text, version: text }));

/** What is read of an event of Sentry's clients. Anything that is an object is one: every field may be missing. */
export const sentryEventSchema = z.object({
  event_id: text,
  timestamp: time,
  platform: text,
  level: text,
  logger: text,
  transaction: text,
  server_name: text,
  release: text,
  environment: text,
  message: lenient(z.union([z.string(), z.object({ formatted: text, message: text })])),
  logentry: lenient(z.object({ formatted: text, message: text })),
  /** The innermost cause first. */
  exception: z.preprocess(
    // One exception may stand without its list.
    (value) => (typeof value === "object" && value !== null && "type" in value ? [value] : value),
    listOf(exceptionSchema, last(limits.exceptionsMax)),
  ),
  breadcrumbs: listOf(breadcrumbSchema, last(limits.breadcrumbsMax)),
  request: lenient(requestSchema),
  user: lenient(z.object({ id: text })),
  tags: pairs(sentryLimits.tagsMax),
  extra: lenient(fields),
  contexts: lenient(fields),
  sdk: named,
  /** Which build of each file failed. */
  debug_meta: lenient(
    z.object({
      images: listOf(z.object({ code_file: z.string(), debug_id: z.string() }), first(sentryLimits.debugIdsMax)),
    }),
  ),
});
export type SentryEvent = z.infer<typeof sentryEventSchema>;

/** A step of a trace, as far as it says what it is. */
export const traceContextSchema = z.object({
  trace_id: text,
  span_id: text,
  parent_span_id: text,
  op: text,
  status: text,
  data: lenient(fields),
});
export const transactionContextsSchema = z.object({ trace: lenient(traceContextSchema) });

/** What is read of a transaction: of an event, and the steps in it. */
export const sentryTransactionSchema = sentryEventSchema.extend({
  start_timestamp: time,
  spans: listOf(
    traceContextSchema.extend({ description: text, start_timestamp: time, timestamp: time }),
    first(sentryLimits.spansMax),
  ),
});
export type SentryTransaction = z.infer<typeof sentryTransactionSchema>;

/** Contexts that are read by name. */
export const knownContextsSchema = z.object({
  runtime: named,
  os: named,
  device: lenient(z.object({ arch: text })),
  app: lenient(z.object({ app_start_time: text })),
  trace: lenient(z.object({ trace_id: text, span_id: text })),
});

/** What a client says it dropped. */
export const clientReportSchema = z.object({
  timestamp: time,
  discarded_events: listOf(
    z.object({ reason: z.string(), category: z.string(), quantity: z.int().min(1) }),
    first(limits.droppedRangesMax),
  ),
});
export type ClientReport = z.infer<typeof clientReportSchema>;
