/**
 * The durable log between the parts. Its adapters: `sqlite-queue.ts` (embedded) and, on a fleet, JetStream. A caller
 * may rely on what is said here and on nothing else.
 */
export interface Queue {
  /**
   * Resolves once every message would survive the death of this process and of the machine's power; rejects when that
   * could not be reached (`WHENCE_ERR_QUEUE_UNAVAILABLE`), in which case some of the messages may still come.
   * A message whose id was published to the topic within the last {@link Topic.deduplicationWindowMs} is not stored again.
   */
  publish(topic: Topic, messages: readonly NewMessage[]): Promise<void>;

  /**
   * The next messages nobody holds, oldest first, at most `max`; waits up to `waitMs` for the first. Each is held for
   * the topic's `visibilityTimeoutMs` and comes again unless it is acknowledged by then. A message that has been
   * delivered `maxAttempts` times without an `ack` becomes a dead letter. Empty when the wait ended or `signal` fired.
   */
  receive(topic: Topic, options: ReceiveOptions): Promise<readonly Delivery[]>;

  /** Messages that nobody will see again without help, newest first. */
  deadLetters(topic: Topic, max: number): Promise<readonly DeadLetter[]>;

  /** Messages waiting or held, and dead letters. */
  depth(topic: Topic): Promise<QueueDepth>;

  /** Stops handing out messages, lets writes under way finish, and frees what it holds. */
  close(): Promise<void>;
}

/** A stream of messages of one kind. Its rules belong to the topic, since a broker binds them to the consumer. */
export interface Topic {
  readonly name: string;
  readonly visibilityTimeoutMs: number;
  readonly maxAttempts: number;
  readonly deduplicationWindowMs: number;
}

export interface NewMessage {
  /** Names the message for deduplication; stable across retries of whoever publishes. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

export interface ReceiveOptions {
  readonly max: number;
  readonly waitMs: number;
  readonly signal?: AbortSignal;
}

/** One message in this receiver's hands. Each method may be called once; a late one changes nothing. */
export interface Delivery {
  readonly id: string;
  readonly body: string;
  /** 1 for the first delivery. */
  readonly attempt: number;
  /** Done: it never comes again. */
  ack(): Promise<void>;
  /** Not done: it comes again after `delayMs`, or becomes a dead letter with `reason` after the last attempt. */
  retry(reason: string, delayMs: number): Promise<void>;
  /** It can never be done: kept as a dead letter with `reason`. */
  bury(reason: string): Promise<void>;
  /** Holds it for another visibility timeout. */
  extend(): Promise<void>;
}

export interface DeadLetter {
  readonly id: string;
  readonly body: string;
  readonly attempts: number;
  readonly reason: string;
  /** RFC 3339. */
  readonly buriedAt: string;
}

export interface QueueDepth {
  readonly pending: number;
  readonly held: number;
  readonly dead: number;
}
