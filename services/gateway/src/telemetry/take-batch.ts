import type { NewMessage } from "@whence/storage";
import { type BatchFrame, messagesOf } from "./batch-messages.ts";
import { lossesOf } from "./losses.ts";
import { type RejectedEvent, validateBatch } from "./validate.ts";

/** What became of a batch: the messages that hold its accepted events and its losses, and what was rejected of it. */
export interface TakenBatch {
  readonly messages: readonly NewMessage[];
  readonly accepted: number;
  readonly rejected: readonly RejectedEvent[];
}

/**
 * Validates and redacts a batch, once: what is on the queue is trusted. Throws a ValidationFailure when the batch around
 * its events is not valid.
 */
export function takeBatch(body: unknown, frame: BatchFrame): TakenBatch {
  const { header, accepted, rejected, rejectedSeqs } = validateBatch(body);
  const dropped = [...(header.dropped ?? []), ...lossesOf(rejectedSeqs, "rejected")];
  return { messages: messagesOf(frame, header, accepted, dropped), accepted: accepted.length, rejected };
}
