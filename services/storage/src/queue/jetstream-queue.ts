import { setTimeout as delay } from "node:timers/promises";
import type { Msg } from "@nats-io/transport-node";
import { storageErrors } from "../errors.ts";
import { Broker, hasNoResponders, openMs, operationMs } from "./jetstream/broker.ts";
import { DeadLetters } from "./jetstream/dead-letters.ts";
import { HeldMessage } from "./jetstream/held-message.ts";
import { pull } from "./jetstream/pull.ts";
import { TopicStreams } from "./jetstream/topic-streams.ts";
import type { DeadLetter, Delivery, NewMessage, Queue, QueueDepth, ReceiveOptions, Topic } from "./queue.ts";
import { queueUnavailable } from "./queue-errors.ts";

/** A waiting request is lost without notice when the consumer's leader changes, so it is repeated this often. */
const waitMsMax = 2_000;
const checkMs = 2_000;
const retryPauseMs = 100;
/** Handed out at once: a receiver that asks for 100 messages of 1 MiB each is not to be drowned in them. */
const receivedBytesMax = 32 * 1_048_576;
/** NATS's default, until the server reports its own. */
const defaultMaxPayload = 1_048_576;
/** Of the server's `max_payload`, for headers: a message that came in must fit with what a dead letter adds to it. */
const headerBytesMax = 8_192;

export interface JetStreamQueueOptions {
  /** `nats://` URLs separated by commas; credentials may be in them. */
  readonly servers: string;
  /** How many servers keep each message: 1, 3 or 5. */
  readonly replicas: number;
  /** The most bytes that the messages of a topic may take; a publish beyond it is rejected. By default, the server's limit. */
  readonly maxBytes?: number;
  /** Begins the names of streams and subjects, so that services can share servers. `whence` by default. */
  readonly name?: string;
}

/**
 * The queue on NATS JetStream, for any number of processes. Rejects with `WHENCE_ERR_QUEUE_UNAVAILABLE` when its servers
 * refuse, or don't answer within a minute; once open, it recovers on its own from anything that happens to them.
 */
export async function openJetStreamQueue(options: JetStreamQueueOptions): Promise<Queue> {
  const { servers, replicas, maxBytes, name = "whence" } = options;
  const deadline = performance.now() + openMs;
  const broker = await Broker.connect(servers, deadline);
  try {
    await broker.perform(() => broker.manager.getAccountInfo(), deadline - performance.now());
  } catch (error) {
    await broker.close();
    throw error;
  }
  return new JetStreamQueue(broker, new TopicStreams(broker.manager, { name, replicas, maxBytes }));
}

class JetStreamQueue implements Queue {
  readonly #broker: Broker;
  readonly #streams: TopicStreams;
  readonly #dead: DeadLetters;
  readonly #closing = new AbortController();
  readonly #receiving = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  constructor(broker: Broker, streams: TopicStreams) {
    this.#broker = broker;
    this.#streams = streams;
    this.#dead = new DeadLetters(broker, streams);
  }

  async publish(topic: Topic, messages: readonly NewMessage[]): Promise<void> {
    this.#refuseWhenClosed();
    const { subject } = this.#streams.names(topic);
    const bodies = messages.map(({ id, body }) => ({ id, bytes: this.#encode(id, body) }));
    await Promise.all(
      bodies.map(({ id, bytes }) =>
        this.#using(topic, () => this.#broker.client.publish(subject, bytes, { msgID: id })),
      ),
    );
  }

  async receive(topic: Topic, options: ReceiveOptions): Promise<readonly Delivery[]> {
    this.#refuseWhenClosed();
    const receiving = this.#receive(topic, options);
    this.#receiving.add(receiving);
    try {
      return await receiving;
    } finally {
      this.#receiving.delete(receiving);
    }
  }

  async deadLetters(topic: Topic, max: number): Promise<readonly DeadLetter[]> {
    this.#refuseWhenClosed();
    await this.#using(topic);
    return this.#dead.list(topic, max);
  }

  async redrive(topic: Topic, letters: readonly string[]): Promise<number> {
    this.#refuseWhenClosed();
    await this.#using(topic);
    return this.#dead.redrive(topic, letters);
  }

  async discard(topic: Topic, letters: readonly string[]): Promise<number> {
    this.#refuseWhenClosed();
    await this.#using(topic);
    return this.#dead.discard(topic, letters);
  }

  async depth(topic: Topic): Promise<QueueDepth> {
    this.#refuseWhenClosed();
    const { stream, consumer, deadStream } = this.#streams.names(topic);
    const { streams, consumers } = this.#broker.manager;
    return this.#using(topic, async () => {
      const [{ state }, { num_ack_pending: unacknowledged }, { state: dead }] = await Promise.all([
        streams.info(stream),
        consumers.info(stream, consumer),
        streams.info(deadStream),
      ]);
      const oldestAt = state.messages === 0 ? null : new Date(state.first_ts).toISOString();
      // The two answers are from different moments, and after an election a consumer keeps counting messages that have
      // left the stream (seen on 2.9). What isn't in the stream isn't held.
      const held = Math.min(unacknowledged, state.messages);
      return { pending: state.messages - held, held, dead: dead.messages, oldestAt };
    });
  }

  async check(): Promise<void> {
    this.#refuseWhenClosed();
    await this.#broker.perform(async () => {
      await Promise.all([this.#broker.manager.getAccountInfo(), this.#streams.check()]);
    }, checkMs);
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#receiving);
    await this.#broker.close();
  }

  async #receive(topic: Topic, { max, waitMs, signal }: ReceiveOptions): Promise<readonly Delivery[]> {
    const deadline = performance.now() + waitMs;
    const cancel = [this.#closing.signal, ...(signal ? [signal] : [])];
    while (!cancel.some(({ aborted }) => aborted)) {
      const waiting = await this.#take(topic, max, 0, [this.#closing.signal]);
      const remainingMs = deadline - performance.now();
      if (waiting.length > 0 || remainingMs < 1) return waiting;
      // One is enough to return, and at most one has to be given back when it is no longer wanted.
      const next = await this.#take(topic, 1, Math.min(remainingMs, waitMsMax), cancel);
      if (next.length > 0) return next;
    }
    return [];
  }

  /** What the consumer has, without what is spent; given back when one of `cancel` fired meanwhile. */
  async #take(topic: Topic, batch: number, waitMs: number, cancel: readonly AbortSignal[]): Promise<Delivery[]> {
    const { messages, heldFrom } = await this.#pull(topic, batch, waitMs, cancel);
    const held = messages.map((message) => new HeldMessage(this.#broker, topic, message, heldFrom));
    if (cancel.some(({ aborted }) => aborted)) {
      await Promise.all(held.map((message) => message.giveBack(0)));
      return [];
    }
    const spent = held.filter(({ attempt }) => attempt > topic.maxAttempts);
    const alive = held.filter(({ attempt }) => attempt <= topic.maxAttempts);
    const reason = `not acknowledged in time on any of ${topic.maxAttempts} attempts`;
    const buried = await Promise.allSettled(
      spent.map((message) => this.#dead.bury(topic, message, topic.maxAttempts, reason)),
    );
    // A message that could not be buried is no longer held and will be redelivered; the others must not wait for that.
    const failure = buried.find(({ status }) => status === "rejected");
    if (failure?.status === "rejected" && alive.length === 0) throw failure.reason;
    if (spent.length > 0 && alive.length === 0) return this.#take(topic, batch, 0, cancel);
    return alive.map((message) => this.#deliver(topic, message));
  }

  /** Asks until it is answered; rejects when that has taken too long. */
  async #pull(
    topic: Topic,
    batch: number,
    waitMs: number,
    cancel: readonly AbortSignal[],
  ): Promise<{ messages: readonly Msg[]; heldFrom: number }> {
    const { stream, consumer } = this.#streams.names(topic);
    const giveUpAt = performance.now() + operationMs;
    const maxBytes = Math.max(receivedBytesMax, 2 * this.#maxPayload());
    for (;;) {
      await this.#using(topic);
      const link = await this.#broker.link();
      const request = { stream, consumer, batch, waitMs, maxBytes, cancel: [link, ...cancel] };
      const { messages, heldFrom, answered } = await pull(this.#broker.connection, request);
      const cancelled = cancel.some(({ aborted }) => aborted);
      if (messages.length > 0 || cancelled || (answered && !link.aborted)) return { messages, heldFrom };
      this.#streams.forget(topic);
      if (performance.now() > giveUpAt) throw queueUnavailable(this.#broker.place, "its consumer does not answer");
      await delay(retryPauseMs);
    }
  }

  #deliver(topic: Topic, message: HeldMessage): Delivery {
    const open = <Arguments extends unknown[]>(settle: (...given: Arguments) => Promise<void>) => {
      return async (...given: Arguments): Promise<void> => {
        this.#refuseWhenClosed();
        await settle(...given);
      };
    };
    const { id, body, attempt } = message;
    const bury = (reason: string): Promise<void> => this.#dead.bury(topic, message, attempt, reason);
    return {
      id,
      body,
      attempt,
      ack: open(() => message.acknowledge()),
      retry: open((reason: string, delayMs: number) =>
        attempt >= topic.maxAttempts ? bury(reason) : message.giveBack(delayMs),
      ),
      bury: open(bury),
      extend: open(() => message.extend()),
    };
  }

  /** Runs it with the topic's streams in place, and looks for them again when there are no responders. */
  #using(topic: Topic): Promise<undefined>;
  #using<Value>(topic: Topic, run: () => Promise<Value>): Promise<Value>;
  #using<Value>(topic: Topic, run?: () => Promise<Value>): Promise<Value | undefined> {
    return this.#broker.perform(async () => {
      try {
        await this.#streams.ready(topic);
        return await run?.();
      } catch (error) {
        if (hasNoResponders(error)) this.#streams.forget(topic);
        throw error;
      }
    });
  }

  #encode(id: string, body: string): Uint8Array {
    const bytes = Buffer.from(body);
    const bytesMax = this.#maxPayload() - headerBytesMax;
    if (bytes.length <= bytesMax) return bytes;
    throw storageErrors.create("WHENCE_ERR_MESSAGE_TOO_LARGE", [id, bytes.length, bytesMax]);
  }

  #maxPayload(): number {
    return this.#broker.connection.info?.max_payload ?? defaultMaxPayload;
  }

  #refuseWhenClosed(): void {
    if (this.#closed !== null) throw queueUnavailable(this.#broker.place, "it is closed");
  }
}
