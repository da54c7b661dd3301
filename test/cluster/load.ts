import { setTimeout as delay } from "node:timers/promises";
import { fingerprint, type TelemetryEvent } from "@whence/protocol";
import { batchOf, eventId, exceptionEvent, sendBatch } from "../e2e/telemetry-batch.ts";

const batchIntervalMs = 50;
const eventsPerBatch = 5;
/** Ten seconds' worth. On a slow machine the pace is what the service can take, or the backlog would only grow. */
const underWayMax = 200;
/** A refused client sends the same batch again, as the telemetry client does. */
const resendDelayMs = 250;
const service = "storefront";

export interface LoadOptions {
  /** The addresses to send to, in turn. */
  readonly urls: readonly string[];
  readonly key: string;
  /** Letters that distinguish this load's failures from all others. */
  readonly label: string;
  /** The number of different failures among the events; each must become one incident. */
  readonly failures: number;
  /** How often every batch is sent, acknowledged or not. */
  readonly copies: number;
}

/** Disposing of it ends it at once, with whatever wasn't acknowledged. */
export interface Load extends Disposable {
  readonly instance: string;
  /** Resolves when every batch was acknowledged. */
  finish(): Promise<Sent>;
}

/** What a load sent, and the answers. */
export interface Sent {
  readonly events: readonly string[];
  readonly fingerprints: readonly string[];
  /** Answers other than 202, and broken connections. */
  readonly refusals: number;
  /** The longest wait of a batch for its 202, including retries. */
  readonly longestWaitMs: number;
}

/** Sends batches at a steady pace, resending each until it is acknowledged, until told to finish. */
export function startLoad({ urls, key, label, failures, copies }: LoadOptions): Load {
  const instance = `load-${label}`;
  const events: string[] = [];
  const fingerprints = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let [refusals, longestWaitMs, batches, seq] = [0, 0, 0, 0];
  let [finishing, isOver] = [false, false];

  const nextEvent = (): TelemetryEvent => {
    seq += 1;
    if (seq % eventsPerBatch !== 0) return logEvent(seq);
    const event = exceptionEvent(`fail${label}${letters(batches % failures)}`, seq);
    fingerprints.add(fingerprint({ service, message: event.message, exceptions: event.exceptions }));
    return event;
  };
  const deliver = async (batch: ReturnType<typeof batchOf>): Promise<void> => {
    const begin = performance.now();
    for (let attempt = batches, left = copies; left > 0 && !isOver; attempt++) {
      const acknowledged = await sendBatch(urls[attempt % urls.length] ?? "", key, batch);
      if (acknowledged) left -= 1;
      else refusals += 1;
      if (!acknowledged) await delay(resendDelayMs);
    }
    longestWaitMs = Math.max(longestWaitMs, performance.now() - begin);
  };
  const sending = (async () => {
    while (!finishing) {
      batches += 1;
      const batch = batchOf(Array.from({ length: eventsPerBatch }, nextEvent), { instance, service });
      events.push(...batch.events.map(({ id }) => id));
      const delivery = deliver(batch).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
      await delay(batchIntervalMs);
      while (underWay.size >= underWayMax) await Promise.race(underWay);
    }
  })();
  return {
    instance,
    async finish() {
      finishing = true;
      await sending;
      await Promise.all(underWay);
      return { events, fingerprints: [...fingerprints], refusals, longestWaitMs };
    },
    [Symbol.dispose]() {
      [finishing, isOver] = [true, true];
    },
  };
}

function logEvent(seq: number): TelemetryEvent {
  return {
    id: eventId(),
    seq,
    type: "log",
    timestamp: new Date().toISOString(),
    level: "info",
    message: `request ${seq} was served`,
    mechanism: { type: "logger", handled: true },
  };
}

/** Returns `a`, `b`, … `z`, `ba`, …, because numbers don't distinguish failures. */
function letters(number: number): string {
  const letter = String.fromCharCode(97 + (number % 26));
  return number < 26 ? letter : letters(Math.floor(number / 26)) + letter;
}
