import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { parseJson, WhenceError } from "@whence/protocol";
import type { Delivery, Queue, Topic } from "@whence/storage";
import type { z } from "zod";
import type { Logger } from "../logger.ts";

const waitMs = 10_000;
/** The delay after the queue failed. */
const pauseAfterFailureMs = 1_000;
const retryDelayMs = 500;
/** How soon a message that waits for an unavailable database is retried. */
const unavailableDelayMs = 1_000;
const statusUnavailable = 503;

/** A no-op until the composition root configures an exporter. */
const tracer = trace.getTracer("whence");

export interface ConsumerOptions<Message> {
  readonly queue: Queue;
  readonly topic: Topic;
  /** The shape of the topic's messages. Any other message becomes a dead letter. */
  readonly schema: z.ZodType<Message>;
  /** The number of messages handled concurrently. */
  readonly concurrency: number;
  readonly logger: Logger;
  /**
   * Handles a message, which is done when this resolves; after a rejection it is redelivered, with growing delays. An
   * unavailability (503) is different: the message is held and retried, because an outage must not use up its attempts.
   * A {@link Postponed} message is redelivered, which uses up an attempt.
   */
  readonly handle: (message: Message, attempt: Attempt) => Promise<Postponed | undefined>;
  /** Called when a message was handled or became a dead letter, and won't be redelivered. */
  readonly onDone?: (messageId: string) => void;
}

export interface Attempt {
  /** The message's id. */
  readonly id: string;
  /** 1 for the first delivery of the message. */
  readonly number: number;
  /** Aborted when the process stops and can't wait any longer. */
  readonly signal: AbortSignal;
}

/** A message delivered too early. */
export interface Postponed {
  readonly againInMs: number;
  readonly reason: string;
}

export interface Consumer {
  /**
   * Stops taking messages and waits for the current ones, at most `graceMs`. The rest is handed back, which never makes
   * a dead letter.
   */
  stop(graceMs: number): Promise<void>;
}

/** Takes messages of a topic, one after another in each of `concurrency` lanes, acknowledging each when it is done. */
export function startConsumer<Message>(options: ConsumerOptions<Message>): Consumer {
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const lanes = Array.from({ length: options.concurrency }, () => runLane(options, stopping.signal, abandoning.signal));
  return {
    async stop(graceMs) {
      stopping.abort();
      const timer = setTimeout(() => abandoning.abort(), graceMs);
      await Promise.all(lanes);
      clearTimeout(timer);
    },
  };
}

async function runLane<Message>(
  options: ConsumerOptions<Message>,
  stopping: AbortSignal,
  abandoning: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      const deliveries = await options.queue.receive(options.topic, { max: 1, waitMs, signal: stopping });
      for (const delivery of deliveries) {
        const isDone = await settle(options, delivery, stopping, abandoning);
        if (isDone) options.onDone?.(delivery.id);
      }
    } catch (error) {
      options.logger.error({ err: error, topic: options.topic.name }, "the queue failed; will retry");
      await delay(pauseAfterFailureMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/** Whether the message was handled or became a dead letter; false when it will be redelivered. */
async function settle<Message>(
  options: ConsumerOptions<Message>,
  delivery: Delivery,
  stopping: AbortSignal,
  signal: AbortSignal,
): Promise<boolean> {
  const { topic, logger } = options;
  const message = options.schema.safeParse(parseJson(delivery.body));
  if (!message.success) {
    logger.error(
      { topic: topic.name, id: delivery.id },
      "a message does not match its topic; it becomes a dead letter",
    );
    await delivery.bury(message.error.message);
    return true;
  }
  const extending = setInterval(() => {
    delivery
      .extend()
      .catch((error: unknown) =>
        logger.warn({ err: error, id: delivery.id }, "could not extend the hold of a message"),
      );
  }, topic.visibilityTimeoutMs / 2);
  try {
    const number = delivery.attempt;
    const attempt: Attempt = { id: delivery.id, number, signal };
    const postponed = await inSpan(topic, number, () => handlePatiently(options, message.data, attempt, stopping));
    if (postponed) await delivery.retry(postponed.reason, postponed.againInMs);
    else await delivery.ack();
    return postponed === undefined;
  } catch (error) {
    const about = { err: error, topic: topic.name, id: delivery.id, attempt: delivery.attempt };
    if (signal.aborted || (stopping.aborted && isUnavailable(error))) {
      logger.info(about, "handing a message back because the process is stopping");
      await handBack(options, delivery);
      return false;
    }
    logger.error(about, "could not handle a message");
    const reason = error instanceof Error ? error.message : String(error);
    await delivery.retry(reason, retryDelayMs * delivery.attempt);
    return false;
  } finally {
    clearInterval(extending);
  }
}

/**
 * Hands a message back. A delivery can't be undone, and handing back must not create a dead letter, so the last
 * delivery is published again as a new message, under an id that every process derives in the same way.
 */
async function handBack({ queue, topic }: { queue: Queue; topic: Topic }, delivery: Delivery): Promise<void> {
  const { id, body, attempt } = delivery;
  if (attempt < topic.maxAttempts) return delivery.retry("the process stopped before the message was handled", 0);
  await queue.publish(topic, [{ id: hash("sha256", `${id} handed back`), body }]);
  await delivery.ack();
}

function isUnavailable(error: unknown): boolean {
  return error instanceof WhenceError && error.status === statusUnavailable;
}

function inSpan<Result>(topic: Topic, attempt: number, run: () => Promise<Result>): Promise<Result> {
  const attributes = { "messaging.destination.name": topic.name, "whence.attempt": attempt };
  return tracer.startActiveSpan(`process ${topic.name}`, { kind: SpanKind.CONSUMER, attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

async function handlePatiently<Message>(
  { handle, logger, topic }: ConsumerOptions<Message>,
  message: Message,
  attempt: Attempt,
  stopping: AbortSignal,
): Promise<Postponed | undefined> {
  for (;;) {
    try {
      return await handle(message, attempt);
    } catch (error) {
      if (!isUnavailable(error) || stopping.aborted) throw error;
      logger.warn({ err: error, topic: topic.name }, "a message is waiting for an unavailable service");
      // Rejects only when the signal is aborted: then there is one more attempt, and the message is handed back.
      await delay(unavailableDelayMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
