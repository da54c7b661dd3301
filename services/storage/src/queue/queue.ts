/**
 * The durable log between the parts. Its adapters: `sqlite-queue.ts` (embedded) and, on a fleet, `jetstream-queue.ts`. A
 * caller may rely on what is said here and on nothing else. An operation that cannot be done, a lost server or a full
 * disk, rejects with `WHENCE_ERR_QUEUE_UNAVAILABLE` within seconds; the queue recovers on its own.
 */
export interface Queue {
  /**
   * Resolves once every message would survive the death of this process and of the machine's power; rejects when that
   * could not be reached (`WHENCE_ERR_QUEUE_UNAVAILABLE`), in which case some of the messages may still come; a message
   * larger than the queue can carry is `WHENCE_ERR_MESSAGE_TOO_LARGE`, and then none comes. A body of 900 kB always fits.
   * A message whose id was published to the topic within the last {@link Topic.deduplicationWindowMs} is not stored again.
   */
  publish(topic: Topic, messages: readonly NewMessage[]): Promise<void>;

  /**
   * Returns the next messages that aren't held, oldest first, at most `max`. Waits up to `waitMs` for the first; with 0
   * it looks once, which a broker may do just before a message published earlier is visible. Each message is held for
   * the topic's `visibilityTimeoutMs` and delivered again unless it is acknowledged by then. If one process owns the
   * queue, restarting it releases what it held at once; a broker waits for the timeout. A message that was delivered
   * `maxAttempts` times without an `ack` becomes a dead letter, at the latest when the next receiver would get it.
   * Empty when the wait ended or `signal` fired; messages that arrive after that are released.
   */
  receive(topic: Topic, options: ReceiveOptions): Promise<readonly Delivery[]>;

  /**
   * Messages that stay until someone redrives them, newest first. They are kept for 30 days and up to a bound of
   * bytes, beyond which the oldest are forgotten, so that they never are why a publish is refused.
   */
  deadLetters(topic: Topic, max: number): Promise<readonly DeadLetter[]>;

  /**
   * Publishes dead letters again, each with its attempts reset, and only then forgets them, so a crash in
   * between repeats one and loses none. Returns how many of the named ones there were.
   */
  redrive(topic: Topic, letters: readonly string[]): Promise<number>;

  /** Forgets dead letters for good. How many of the named there were. */
  discard(topic: Topic, letters: readonly string[]): Promise<number>;

  /** Messages waiting or held, and dead letters. */
  depth(topic: Topic): Promise<QueueDepth>;

  /** Resolves when the queue can take and hand out messages now; rejects with `WHENCE_ERR_QUEUE_UNAVAILABLE`. */
  check(): Promise<void>;

  /** Stops handing out messages, lets writes under way finish, and frees what it holds. */
  close(): Promise<void>;
}

/** A stream of messages of one kind. Its rules belong to the topic, since a broker binds them to the consumer. */
export interface Topic {
  readonly name: string;
  readonly visibilityTimeoutMs: number;
  readonly maxAttempts: number;
  readonly deduplicationWindowMs: number;
  /**
   * Whether a queue that is full takes its messages all the same: those that the service itself publishes while it works
   * a full queue off, or it could never be worked off. The disk still bounds them.
   */
  readonly takenWhenFull?: true;
}

export interface NewMessage {
  /** Names the message for deduplication; stable across the publisher's retries. */
  readonly id: string;
  /** Text. */
  readonly body: string;
}

export interface ReceiveOptions {
  readonly max: number;
  readonly waitMs: number;
  readonly signal?: AbortSignal;
}

/**
 * One message held by this receiver. Each method may be called once. A call after the hold ran out changes nothing for
 * the current holder. A broker can't distinguish the deliveries of a message, so the receiver watches the clock: it sends
 * nothing in the last tenth of a hold (at most the last second) or later. A call that takes longer than that to reach the
 * broker may still settle another receiver's delivery, as can always happen when two receivers work on one message.
 */
export interface Delivery {
  readonly id: string;
  readonly body: string;
  /** 1 for the first delivery. */
  readonly attempt: number;
  /** Acknowledges the message, which isn't delivered again. */
  ack(): Promise<void>;
  /** Delivers the message again after `delayMs`, or makes it a dead letter with `reason` after the last attempt. */
  retry(reason: string, delayMs: number): Promise<void>;
  /** It can never be done: kept as a dead letter with `reason`. */
  bury(reason: string): Promise<void>;
  /** Holds it for another visibility timeout. */
  extend(): Promise<void>;
}

export interface DeadLetter {
  /** Names this letter for `redrive` and `discard`; opaque, unique within its topic. */
  readonly letter: string;
  /** The message's id. */
  readonly id: string;
  readonly body: string;
  readonly attempts: number;
  readonly reason: string;
  /** RFC 3339. */
  readonly buriedAt: string;
}

export interface QueueDepth {
  /** They wait to be handed out. */
  readonly pending: number;
  /**
   * Messages that were delivered and not settled. A broker also counts delivered ones that wait for another attempt.
   */
  readonly held: number;
  readonly dead: number;
  /** RFC 3339: when the oldest message that waits or is held was published; null when there is none. */
  readonly oldestAt: string | null;
}
