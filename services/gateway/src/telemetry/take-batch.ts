import { type Batch, type BatchHeader, limits, type TelemetryEvent } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import type { ReceivedBody } from "../plugins/unpack.ts";
import type { BatchFrame } from "./batch-frame.ts";
import { messageEventsMax, splitBatch, wholeMessage } from "./batch-messages.ts";
import { failingFiles } from "./failing-files.ts";
import { isHashed } from "./hash-user.ts";
import { lossesOf } from "./losses.ts";
import { isPlainBatch } from "./plain-batch.ts";
import { isRedacted } from "./redact.ts";
import {
  type MadeBatch,
  nestingMax,
  type RejectedEvent,
  type ValidatedBatch,
  validateBatch,
  validateMade,
} from "./validate.ts";

/** The result of validating a batch: messages with its accepted events and dropped ranges, and the rejected events. */
export interface TakenBatch {
  readonly messages: readonly NewMessage[];
  readonly header: Pick<BatchHeader, "service" | "env" | "release" | "instance" | "watch">;
  readonly accepted: number;
  readonly rejected: readonly RejectedEvent[];
  /** The program's files on the stacks of its errors, by {@link failingFiles}. */
  readonly failing: readonly string[];
}

/**
 * Validates and redacts a batch, and hashes whom its events are about. A batch of the usual size with nothing to change
 * is passed on as received, compressed if that is shorter, which is cheaper than serializing it again. Throws a
 * ValidationFailure when the batch's own fields are invalid.
 */
export function takeBatch(body: ReceivedBody, frame: BatchFrame): TakenBatch {
  const { text, value } = body;
  if (isShort(text) && isPlainBatch(value) && isAsKept(value, frame)) {
    const messages = wholeMessage(frame, value, body);
    const failing = failingFiles(value.events);
    return { messages, header: namesOf(value), accepted: value.events.length, rejected: [], failing };
  }
  return taken(validateBatch(value, frame.userKey), frame);
}

/** Does the same with a batch that the gateway itself made of another client's telemetry, and has as JSON. */
export function takeMade(batch: MadeBatch, frame: BatchFrame): TakenBatch {
  return taken(validateMade(batch, frame.userKey), frame);
}

function taken({ header, accepted, rejected, rejectedSeqs }: ValidatedBatch, frame: BatchFrame): TakenBatch {
  const dropped = [...(header.dropped ?? []), ...lossesOf(rejectedSeqs, "rejected")];
  const messages = splitBatch(frame, header, accepted, dropped);
  const failing = failingFiles(accepted.map(({ event }) => event));
  return { messages, header: namesOf(header), accepted: accepted.length, rejected, failing };
}

/** What the answer depends on, without the events, which would stay in memory until the queue answers. */
function namesOf({ service, env, release, instance, watch }: BatchHeader): TakenBatch["header"] {
  return { service, env, release, instance, watch };
}

/** Whether the whole text is within the limit of one event, so that each of its events is, too. */
function isShort(text: string): boolean {
  return Buffer.byteLength(text) <= limits.eventBytesMax;
}

function isAsKept({ events }: Batch, { userKey }: BatchFrame): boolean {
  const isKept = (event: TelemetryEvent) => isHashed(event, userKey) && isRedacted(event, nestingMax);
  return events.length <= messageEventsMax && events.every(isKept);
}
