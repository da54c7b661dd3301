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
  let from: SentryEvent | undefined;
  let isValid = false;
  let hasTooLarge = false;
  let hostOfSegment: string | undefined;
  let hostOfStep: string | undefined;
  for await (const json of firstSpans(payload, turns)) {
    if (json.length > sentryLimits.itemBytesMax) {
      hasTooLarge = true;
      continue;
    }
    const parsed = parseJson(json.toString("utf8"));
    if (parsed === undefined) return null;
    const item = readStreamedSpan(parsed);
    from ??= item && streamedFrom(item);
    const span = item && streamedSpan(item);
    if (!span) continue;
    isValid = true;
    if (item.is_segment) hostOfSegment ??= ownHostOf(span);
    // What a consumer names may be its queue.
    else if (span.kind !== spanKinds.consumer) hostOfStep ??= ownHostOf(span);
    found.push(...foundSpan(span, from));
  }
  const own = hostOfSegment ?? hostOfStep;
  const kept = found.map(({ one, withoutAddress, address }) =>
    withoutAddress && (own === undefined || address === own) ? withoutAddress : one,
  );
  return { from: from ?? streamedFrom(), isValid, hasTooLarge, kept };
}

/** A span that is kept. */
interface FoundSpan {
  readonly one: KeptSpan;
  /** The same of a call whose address may be that of its sender. */
  readonly withoutAddress: KeptSpan | undefined;
  readonly address: string | undefined;
}

function foundSpan(span: Span, from: SentryEvent = {}): FoundSpan[] {
  const one = keptSpan(span);
  if (!one) return [];
  const address = addressOf(span);
  const isUnsure = address !== undefined && namesItself(from) && isCall(span) && !span.attributes.has("server.port");
  if (!isUnsure) return [{ one, withoutAddress: undefined, address }];
  const others = [...span.attributes].filter(([name]) => name !== addressName);
  return [{ one, withoutAddress: keptSpan({ ...span, attributes: new Map(others) }), address }];
}

/** Sentry's name for the host of the process itself, too. */
const addressName = "server.address";

function addressOf({ attributes }: Span): string | undefined {
  return text(attributes.get(addressName));
}

/** Returns the address of a step that can only be that of its process: what it calls, or is called by, has a port. */
function ownHostOf(span: Span): string | undefined {
  const isConnecting = text(span.attributes.get("sentry.op"))?.startsWith("socket.");
  return isCall(span) || isConnecting || span.attributes.has("server.port") ? undefined : addressOf(span);
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
    yield json;
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
