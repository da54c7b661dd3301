import { hash } from "node:crypto";
import type { BatchHeader } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import { type KeptMeasure, type KeptReading, type KeptSpan, writeBatchMessage } from "../telemetry/batch-message.ts";
import { headerOf } from "../telemetry/batch-messages.ts";

/** As many as fit into a message of the queue, with texts as long as they may be. */
const messageSpansMax = 200;
const messageMeasuresMax = 1_000;

/** Returns messages of the telemetry queue with spans of one process; the same spans get the same ids. */
export function spanMessages(frame: BatchFrame, header: BatchHeader, spans: readonly KeptSpan[]): NewMessage[] {
  const messages: NewMessage[] = [];
  for (let from = 0; from < spans.length; from += messageSpansMax) {
    const some = spans.slice(from, from + messageSpansMax);
    messages.push({
      id: hash("sha256", JSON.stringify([frame.scopeId, header.instance, ...some.map((one) => one.span_id)])),
      body: writeBatchMessage(headerOf(frame), JSON.stringify({ ...header, events: [], spans: some })),
    });
  }
  return messages;
}

/** Returns messages of the telemetry queue with what metrics of one process count. */
export function measureMessages(
  frame: BatchFrame,
  header: BatchHeader,
  measures: readonly KeptMeasure[],
): NewMessage[] {
  const messages: NewMessage[] = [];
  for (let from = 0; from < measures.length; from += messageMeasuresMax) {
    const some = measures.slice(from, from + messageMeasuresMax);
    messages.push({
      id: hash("sha256", JSON.stringify([frame.scopeId, header.service, header.instance, some])),
      body: writeBatchMessage(headerOf(frame), JSON.stringify({ ...header, events: [], measures: some })),
    });
  }
  return messages;
}

/** Returns a message of the telemetry queue with the state of one process. */
export function readingMessage(frame: BatchFrame, header: BatchHeader, reading: KeptReading): NewMessage {
  return {
    id: hash("sha256", JSON.stringify([frame.scopeId, header.service, header.instance, reading])),
    body: writeBatchMessage(headerOf(frame), JSON.stringify({ ...header, events: [], readings: [reading] })),
  };
}
