import { setTimeout as delay } from "node:timers/promises";
import { fingerprint, type TelemetryEvent } from "@whence/protocol";
import { batchOf, eventId, exceptionEvent, sendBatch } from "../e2e/telemetry-batch.ts";

const batchIntervalMs = 50;
const eventsPerBatch = 5;
/** A client that was refused sends the same batch again, as the telemetry client does. */
const resendDelayMs = 250;
const service = "storefront";

export interface LoadOptions {
  /** Where to send; the next one for each try. */
  readonly urls: readonly string[];
  readonly key: string;
  /** Letters that make this load's failures different from all others. */
  readonly label: string;
  /** Different failures among the events: each must become one incident. */
  readonly failures: number;
  /** Every batch is sent so many times, acknowledged or not. */
  readonly copies: number;
}

export interface Load {
  readonly instance: string;
  /** Resolves when every batch was acknowledged. */
  finish(): Promise<Sent>;
}

/** What a load sent and what it was told. */
export interface Sent {
  readonly events: readonly string[];
  readonly fingerprints: readonly string[];
  /** Answers that were no 202, and connections that broke. */
  readonly refusals: number;
  /** The longest that one batch had to wait for its 202, tries included. */
  readonly longestWaitMs: number;
}

/** Sends batches at a steady pace, resending each until it is acknowledged, until told to finish. */
export function startLoad({ urls, key, label, failures, copies }: LoadOptions): Load {
  const instance = `load-${label}`;
  const events: string[] = [];
  const fingerprints = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let [refusals, longestWaitMs, batches, seq, finishing] = [0, 0, 0, 0, false];

  const nextEvent = (): TelemetryEvent => {
    seq += 1;
    if (seq % eventsPerBatch !== 0) return logEvent(seq);
    const event = exceptionEvent(`fail${label}${letters(batches % failures)}`, seq);
    fingerprints.add(fingerprint({ service, message: event.message, exceptions: event.exceptions }));
    return event;
  };
  const deliver = async (batch: ReturnType<typeof batchOf>): Promise<void> => {
    const begin = performance.now();
    for (let attempt = batches, left = copies; left > 0; attempt++) {
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
  };
}

function logEvent(seq: number): TelemetryEvent {
  return {
    ...{ id: eventId(), seq, type: "log", timestamp: new Date().toISOString(), level: "info" },
    ...{ message: `request ${seq} was served`, mechanism: { type: "logger", handled: true } },
  };
}

/** `a`, `b`, … `z`, `ba`, …: numbers would not tell failures apart. */
function letters(number: number): string {
  const letter = String.fromCharCode(97 + (number % 26));
  return number < 26 ? letter : letters(Math.floor(number / 26)) + letter;
}
