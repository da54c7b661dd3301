import { isDeepStrictEqual } from "node:util";
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { deadLetterAgeMs, deadLetterBytesMax } from "../dead-letter-bounds.ts";
import type { Topic } from "../queue.ts";

/** The server keeps each held or delayed message in memory; beyond this it hands out no more. */
const heldMax = 20_000;

/** The names of a topic's streams and consumer on the broker. */
export interface TopicNames {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  readonly deadStream: string;
  readonly deadSubject: string;
}

export interface StreamOptions {
  /** Begins the names of all streams and subjects. */
  readonly name: string;
  /** How many servers keep each message. */
  readonly replicas: number;
  /** What a topic's messages may take; a publish beyond it is refused. */
  readonly maxBytes: number | undefined;
}

/** Creates a topic's streams and consumer, or updates them to this release's configuration. */
export class TopicStreams {
  readonly #manager: JetStreamManager;
  readonly #options: StreamOptions;
  readonly #ready = new Map<string, Promise<void>>();

  constructor(manager: JetStreamManager, options: StreamOptions) {
    this.#manager = manager;
    this.#options = options;
  }

  names({ name: topic }: Topic): TopicNames {
    const { name } = this.#options;
    return {
      stream: `${name}_${topic}`,
      subject: `${name}.${topic}`,
      consumer: "receivers",
      deadStream: `${name}_${topic}_dead`,
      deadSubject: `${name}.${topic}.dead`,
    };
  }

  /** Resolves when the topic can be used; looks at the server the first time, and after {@link TopicStreams.forget}. */
  ready(topic: Topic): Promise<void> {
    const known = this.#ready.get(topic.name);
    if (known !== undefined) return known;
    const making = this.#make(topic);
    this.#ready.set(topic.name, making);
    making.catch(() => this.forget(topic));
    return making;
  }

  /** A server may have lost what was there. */
  forget({ name }: Topic): void {
    this.#ready.delete(name);
  }

  /** Rejects unless each topic's stream that was used so far has a leader that answers. */
  async check(): Promise<void> {
    const { name } = this.#options;
    await Promise.all([...this.#ready.keys()].map((topic) => this.#manager.streams.info(`${name}_${topic}`)));
  }

  async #make(topic: Topic): Promise<void> {
    const { stream, subject, consumer, deadStream, deadSubject } = this.names(topic);
    const both = {
      storage: StorageType.File,
      num_replicas: this.#options.replicas,
      duplicate_window: nanos(topic.deduplicationWindowMs),
    };
    await this.#haveStream({
      ...both,
      name: stream,
      subjects: [subject],
      retention: RetentionPolicy.Workqueue,
      // A full stream refuses what is new: what was acknowledged is never given up for it.
      discard: DiscardPolicy.New,
      max_bytes: topic.takenWhenFull ? -1 : (this.#options.maxBytes ?? -1),
    });
    await this.#haveStream({
      ...both,
      name: deadStream,
      subjects: [deadSubject],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_bytes: deadLetterBytesMax,
      max_age: nanos(deadLetterAgeMs),
    });
    await this.#haveConsumer(stream, {
      durable_name: consumer,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(topic.visibilityTimeoutMs),
      max_ack_pending: heldMax,
      // The server counts attempts, and receivers enforce the maximum by turning the message into a dead letter. A limit
      // here would leave the message in the stream, unseen and taking up space forever.
      max_deliver: -1,
    });
  }

  async #haveStream(wanted: Partial<StreamConfig> & { name: string }): Promise<void> {
    const { streams } = this.#manager;
    const { config } = (await orNull(streams.info(wanted.name))) ?? (await streams.add(wanted));
    if (differs(wanted, config)) await streams.update(wanted.name, wanted);
  }

  async #haveConsumer(stream: string, wanted: Partial<ConsumerConfig> & { durable_name: string }): Promise<void> {
    const { consumers } = this.#manager;
    const found = await orNull(consumers.info(stream, wanted.durable_name));
    const { config } = found ?? (await consumers.add(stream, wanted));
    if (differs(wanted, config)) await consumers.update(stream, wanted.durable_name, wanted);
  }
}

function differs<Config extends object>(wanted: Partial<Config>, config: Config): boolean {
  const have = new Map(Object.entries(config));
  return Object.entries(wanted).some(([key, value]) => !isDeepStrictEqual(have.get(key), value));
}

async function orNull<Value>(info: Promise<Value>): Promise<Value | null> {
  try {
    return await info;
  } catch (error) {
    const missing: readonly number[] = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound];
    if (error instanceof JetStreamApiError && missing.includes(error.code)) return null;
    throw error;
  }
}
