import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { WhenceError } from "@whence/protocol";
import type { Delivery, Queue, Topic } from "@whence/storage";
import type { z } from "zod";
import type { Logger } from "../logger.ts";
import { parseJson } from "../parse-json.ts";

const waitMs = 10_000;
/** After the queue itself failed. */
const pauseAfterFailureMs = 1_000;
const retryDelayMs = 500;
/** How soon a message in hand is tried again that only waits for a database to be back. */
const unavailableDelayMs = 1_000;
const statusUnavailable = 503;

/** Its spans go nowhere until the composition root says where to. */
const tracer = trace.getTracer("whence");

export interface ConsumerOptions<Message> {
  readonly queue: Queue;
  readonly topic: Topic;
  /** What a message of the topic says. One that says something else is kept as a dead letter. */
  readonly schema: z.ZodType<Message>;
  /** Messages in hand at once. */
  readonly concurrency: number;
  readonly logger: Logger;
  /**
   * Done when it resolves; a rejection brings the message again, later each time. An unavailability (503) does not: the
   * message is kept in hand and tried again, since no outage may use up its attempts. What is {@link Postponed} comes
   * again, and one of its attempts is used up.
   */
  readonly handle: (message: Message, attempt: Attempt) => Promise<Postponed | undefined>;
  /** Called when a message is done with, for good or ill: it doesn't come again. */
  readonly onDone?: (messageId: string) => void;
}

export interface Attempt {
  /** Of the message. */
  readonly id: string;
  /** 1 for the first delivery of the message. */
  readonly number: number;
  /** Fires when the process stops and cannot wait any longer. */
  readonly signal: AbortSignal;
}

/** It is too early for a message. */
export interface Postponed {
  readonly againInMs: number;
  readonly reason: string;
}

export interface Consumer {
  /**
   * Takes no new message and waits for those in hand, `graceMs` at most; the rest is handed back, and no number of such
   * stops makes a dead letter of it.
   */
  stop(graceMs: number): Promise<void>;
}

/** Takes messages of a topic, one after the other in each of `concurrency` lanes, acknowledging each when it is done. */
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
      options.logger.error({ err: error, topic: options.topic.name }, "the queue failed; it is asked again");
      await delay(pauseAfterFailureMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/** Whether the message is done with; false when it comes again. */
async function settle<Message>(
  options: ConsumerOptions<Message>,
  delivery: Delivery,
  stopping: AbortSignal,
  signal: AbortSignal,
): Promise<boolean> {
  const { topic, logger } = options;
  const message = options.schema.safeParse(parseJson(delivery.body));
  if (!message.success) {
    logger.error({ topic: topic.name, id: delivery.id }, "a message is none of this topic; it is a dead letter now");
    await delivery.bury(message.error.message);
    return true;
  }
  const extending = setInterval(() => {
    delivery
      .extend()
      .catch((error: unknown) => logger.warn({ err: error, id: delivery.id }, "a hold was not extended"));
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
      logger.info(about, "a message is handed back, since the process stops");
      await handBack(options, delivery);
      return false;
    }
    logger.error(about, "a message was not done");
    const reason = error instanceof Error ? error.message : String(error);
    await delivery.retry(reason, retryDelayMs * delivery.attempt);
    return false;
  } finally {
    clearInterval(extending);
  }
}

/**
 * A delivery cannot be undone, but being handed back must not be what makes a message a dead letter: its last one is
 * published anew, under an id that is the same for whoever else does so.
 */
async function handBack({ queue, topic }: { queue: Queue; topic: Topic }, delivery: Delivery): Promise<void> {
  const { id, body, attempt } = delivery;
  if (attempt < topic.maxAttempts) return delivery.retry("the process stopped before it was done", 0);
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
      logger.warn({ err: error, topic: topic.name }, "a message waits for what is unavailable");
      // Rejects only when the signal fires: then there is one more try, and the message is handed back.
      await delay(unavailableDelayMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
