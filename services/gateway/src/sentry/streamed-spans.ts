import { parseJson } from "@whence/protocol";
import { keptSpan } from "../otlp/kept-span.ts";
import type { Span } from "../otlp/span-message.ts";
import { spanKinds } from "../otlp/to-request.ts";
import { type Turns, turnBytesMax } from "../plugins/turns.ts";
import type { KeptSpan } from "../telemetry/batch-message.ts";
import { jsonElements, scannedBytesMax } from "./json-elements.ts";
import { isFields, text } from "./lenient.ts";
import { readStreamedSpan, type SentryEvent, type SentryStreamedSpan } from "./read-event.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { requestName, type Steps, stepSpan } from "./step-span.ts";

/**
 * Reads the spans of an item that a client streams, which are of one process. An item may be large, so they are parsed one
 * by one, and only those that are kept stay; more than one turn's work waits for further turns. Null if one isn't JSON.
 */
export async function streamedSteps(payload: Buffer, turns: Turns): Promise<Steps | null> {
  const found: FoundSpan[] = [];
  let first: SentryStreamedSpan | undefined;
  let own: string | undefined;
  let isValid = false;
  for await (const json of firstSpans(payload, turns)) {
    const parsed = parseJson(json.toString("utf8"));
    if (parsed === undefined) return null;
    const item = readStreamedSpan(parsed);
    first ??= item;
    const span = item && streamedSpan(item);
    if (!span) continue;
    isValid = true;
    if (!isCall(span)) own ??= addressOf(span);
    found.push(...foundSpan(span));
  }
  const from = streamedFrom(first);
  const isOwn = (address: string | undefined): boolean => (own === undefined ? namesItself(from) : address === own);
  const kept = found.map(({ one, withoutAddress, address }) => (isOwn(address) ? (withoutAddress ?? one) : one));
  return { from, isValid, kept };
}

/** A span that is kept. */
interface FoundSpan {
  readonly one: KeptSpan;
  /** The same of a call whose address may be that of its sender. */
  readonly withoutAddress: KeptSpan | undefined;
  readonly address: string | undefined;
}

function foundSpan(span: Span): FoundSpan[] {
  const one = keptSpan(span);
  if (!one) return [];
  const isUnsure = isCall(span) && !span.attributes.has("server.port");
  const others = isUnsure ? [...span.attributes].filter(([name]) => name !== addressName) : [];
  const withoutAddress = isUnsure ? keptSpan({ ...span, attributes: new Map(others) }) : undefined;
  return [{ one, withoutAddress, address: addressOf(span) }];
}

/** Sentry's name for the host of the process itself, too. */
const addressName = "server.address";

function addressOf({ attributes }: Span): string | undefined {
  return text(attributes.get(addressName));
}

function isCall({ kind }: Span): boolean {
  return kind === spanKinds.client || kind === spanKinds.producer;
}

/** Python's client writes the host of its process on each span that names no other. */
function namesItself({ sdk }: SentryEvent): boolean {
  return sdk?.name?.startsWith("sentry.python") === true;
}

/** Returns those within the limits, as JSON. Whatever is searched for them waits for its turn, too. */
async function* firstSpans(payload: Buffer, turns: Turns): AsyncGenerator<Buffer> {
  let count = 0;
  let bytesOfTurn = 0;
  for (const json of jsonElements(payload, "items")) {
    if (count === sentryLimits.spansMax) return;
    const bytes = json?.length ?? scannedBytesMax;
    bytesOfTurn += bytes;
    if (bytesOfTurn > turnBytesMax) {
      await turns.take(turnBytesMax);
      bytesOfTurn = bytes;
    }
    if (!json) continue;
    count += 1;
    if (json.length <= sentryLimits.itemBytesMax) yield json;
  }
}

/** Returns undefined without valid IDs and times. */
function streamedSpan(item: SentryStreamedSpan): Span | undefined {
  const { name = "", is_segment: isSegment = false, end_timestamp: timestamp, ...step } = item;
  const data = attributesOf(item);
  const op = text(data["sentry.op"]);
  const status = item.status === "error" ? text(data["sentry.status.message"]) || "error" : item.status;
  return stepSpan(
    { ...step, timestamp, op, status, description: name, data },
    isSegment ? requestName(name) : (op ?? ""),
  );
}

/** What a span says about the process that it is of. */
function streamedFrom(item: SentryStreamedSpan = {}): SentryEvent {
  const { "sentry.release": release, "sentry.environment": environment, ...data } = attributesOf(item);
  return {
    release: text(release),
    environment: text(environment),
    sdk: { name: text(data["sentry.sdk.name"]), version: text(data["sentry.sdk.version"]) },
    contexts: { trace: { trace_id: item.trace_id } },
  };
}

/** Clients write each value beside its type. */
function attributesOf({ attributes = {} }: SentryStreamedSpan): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, written]) => [name, isFields(written) ? written.value : undefined]),
  );
}
