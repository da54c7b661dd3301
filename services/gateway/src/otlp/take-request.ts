import { type BatchHeader, limits, type TelemetryEvent } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { trimEvent } from "../mapping/trim-event.ts";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import type { KeptSpan } from "../telemetry/batch-message.ts";
import { takeMade } from "../telemetry/take-batch.ts";
import type { Attributes } from "./any-value.ts";
import { spanMessages } from "./beside-messages.ts";
import { keptSpan } from "./kept-span.ts";
import type { ReadingOfProcess } from "./minute-readings.ts";
import { otlpLimits } from "./otlp-limits.ts";
import { requestAmong } from "./request-among.ts";
import type { LogRecord, LogRequest, TraceRequest } from "./requests.ts";
import { batchHeaderOf } from "./resource.ts";
import type { SpanAllowance } from "./span-allowance.ts";
import type { Span } from "./span-message.ts";
import { type EventOwner, logEvent, type Scope, spanEvents } from "./to-events.ts";
import type { ReceivedSpan } from "./written-span.ts";

/** What became of spans, records, or data points: `counted` ones are of a kind that isn't kept. */
export type ItemOutcome = "stored" | "counted" | "rejected";

/** A request as messages of the telemetry queue. */
export interface TakenRequest {
  readonly messages: readonly NewMessage[];
  readonly events: number;
  /** Spans that count for the allowance. */
  readonly spans: number;
  /** Readings that count for their allowance. */
  readonly readings: readonly ReadingOfProcess[];
  /** Points of series that count for theirs, by service. */
  readonly points: ReadonlyMap<string, number>;
  readonly items: Readonly<Record<ItemOutcome, number>>;
  /** Why items were rejected; empty when none were. */
  readonly reason: string;
}

export const noResource: Attributes = new Map();
const noPoints: TakenRequest["points"] = new Map();
const unnamed: Scope = { name: "" };

/**
 * Takes the errors of spans, and of the spans themselves those that are kept, within the allowance. A span without
 * valid IDs is rejected.
 */
export function takeTraces(
  { resourceSpans }: TraceRequest,
  frame: BatchFrame,
  allowance: Pick<SpanAllowance, "takes" | "hasRoomForSample">,
): TakenRequest {
  const kept = (span: Span): KeptSpan | undefined => {
    const one = keptSpan(span);
    return one && allowance.takes(frame.scopeId, one.weight > 1) ? one : undefined;
  };
  // Reading the sample's spans only to drop them took a fifth of the time.
  const mayBeKept = ({ mayTell, isOfSample }: ReceivedSpan): boolean =>
    mayTell || (isOfSample && allowance.hasRoomForSample(frame.scopeId));
  const taking = new Taking(frame);
  const [first, surplus] = limited(resourceSpans);
  for (const { resource, scopeSpans } of first) {
    const of = taking.from(resource?.attributes ?? noResource);
    const requestOf = requestAmong(scopeSpans.flatMap(({ spans }) => spans));
    for (const { scope = unnamed, spans } of scopeSpans) {
      const take = (span: Span): void => of.add(spanEvents(span, scope, { owner: of.owner, requestOf }), kept(span));
      for (const span of spans) {
        if (!span.hasIds) taking.reject("a span has no valid trace ID or span ID");
        else if (!mayBeKept(span)) of.add([]);
        else take(span.read());
      }
    }
    of.end();
  }
  taking.reject(
    tooManyResources,
    sumOf(surplus, ({ scopeSpans }) => sumOf(scopeSpans, ({ spans }) => spans.length)),
  );
  return taking.taken();
}

/** The resources that a request may have, since each costs messages of its own, and those beyond. */
export function limited<Resource>(resources: readonly Resource[]): [readonly Resource[], readonly Resource[]] {
  const { otlpResourcesMax: max } = otlpLimits;
  return [resources.slice(0, max), resources.slice(max)];
}

export function sumOf<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + countOf(item), 0);
}

/** Takes the records that report failures or errors. */
export function takeLogs({ resourceLogs }: LogRequest, frame: BatchFrame): TakenRequest {
  const taking = new Taking(frame);
  const [first, surplus] = limited(resourceLogs);
  for (const { resource, scopeLogs } of first) {
    const of = taking.from(resource?.attributes ?? noResource);
    for (const { scope = unnamed, logRecords } of scopeLogs) {
      for (const record of logRecords) of.add(eventOf(record, scope, of.owner));
    }
    of.end();
  }
  const records = sumOf(surplus, ({ scopeLogs }) => sumOf(scopeLogs, ({ logRecords }) => logRecords.length));
  taking.reject(tooManyResources, records);
  return taking.taken();
}

function eventOf(record: LogRecord, scope: Scope, owner: EventOwner): TelemetryEvent[] {
  const event = logEvent(record, scope, owner);
  return event ? [event] : [];
}

const tooMany = `the request has more than ${otlpLimits.otlpErrorsMax} errors`;
export const tooManyResources = `the request has more than ${otlpLimits.otlpResourcesMax} resources`;

/** Collects the messages of one request. */
class Taking {
  readonly #frame: BatchFrame;
  readonly #messages: NewMessage[] = [];
  readonly #items = { stored: 0, counted: 0, rejected: 0 };
  /** Events, those that are the same counted each. */
  #made = 0;
  #events = 0;
  #spans = 0;
  #reason = "";

  constructor(frame: BatchFrame) {
    this.#frame = frame;
  }

  /** Begins what one resource reports. */
  from(resource: Attributes) {
    const { scopeId, receivedAt } = this.#frame;
    const header = batchHeaderOf(resource, receivedAt);
    const { service, instance } = header;
    const events = new Map<string, TelemetryEvent>();
    const spans: KeptSpan[] = [];
    return {
      owner: { scopeId, service, instance, receivedAt } satisfies EventOwner,
      /** Adds what is kept of one item. Of events that are the same, the one with the longest stack stays. */
      add: (added: readonly TelemetryEvent[], span?: KeptSpan): void => {
        if (added.length > 0 && this.#made >= otlpLimits.otlpErrorsMax) {
          this.reject(tooMany);
          return;
        }
        this.#made += added.length;
        this.#items[added.length > 0 || span ? "stored" : "counted"] += 1;
        if (span) spans.push(span);
        for (const event of added) {
          const known = events.get(event.id);
          if (!known || stackLength(known) < stackLength(event)) events.set(event.id, event);
        }
      },
      end: (): void => {
        this.#publish(header, [...events.values()]);
        this.#messages.push(...spanMessages(this.#frame, header, spans));
        this.#spans += spans.length;
      },
    };
  }

  reject(reason: string, items = 1): void {
    this.#items.rejected += items;
    if (items > 0) this.#reason ||= reason;
  }

  taken(): TakenRequest {
    const [messages, events, spans] = [this.#messages, this.#events, this.#spans];
    return { messages, events, spans, readings: [], points: noPoints, items: this.#items, reason: this.#reason };
  }

  #publish(header: BatchHeader, events: readonly TelemetryEvent[]): void {
    for (let from = 0; from < events.length; from += limits.batchEventsMax) {
      const batch = { header, events: events.slice(from, from + limits.batchEventsMax).map(trimEvent) };
      const { messages, accepted, rejected } = takeMade(batch, this.#frame);
      this.#messages.push(...messages);
      this.#events += accepted;
      this.#items.stored -= rejected.length;
      for (const _event of rejected) this.reject(`an error is over ${limits.eventBytesMax} bytes as JSON`);
    }
  }
}

function stackLength({ exceptions = [] }: TelemetryEvent): number {
  return exceptions.reduce((sum, { stack }) => sum + stack.length, 0);
}
