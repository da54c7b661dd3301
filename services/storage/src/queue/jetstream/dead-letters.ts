import { JetStreamApiError, type StoredMsg } from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import type { DeadLetter, Topic } from "../queue.ts";
import type { Broker } from "./broker.ts";
import { type HeldMessage, idHeader } from "./held-message.ts";
import type { TopicStreams } from "./topic-streams.ts";

const attemptsHeader = "Whence-Attempts";
const reasonHeader = "Whence-Reason";
/** The headers of a dead letter must fit into what `publish` leaves free of the server's `max_payload`. */
const reasonLengthMax = 1_000;
/** What the server is asked at a time. */
const asksMax = 32;
/** The server's answer when another was faster. */
const deleteFailed = 10_057;

/** The dead letters of all topics, each topic's in a stream of its own, where age and bytes bound them. */
export class DeadLetters {
  readonly #broker: Broker;
  readonly #streams: TopicStreams;

  constructor(broker: Broker, streams: TopicStreams) {
    this.#broker = broker;
    this.#streams = streams;
  }

  /** Written first, removed then: a death in between leaves both, and the second writing is the same letter. */
  async bury(topic: Topic, message: HeldMessage, attempts: number, reason: string): Promise<void> {
    if (!message.isHeld()) return;
    const { deadSubject } = this.#streams.names(topic);
    const about = headers();
    about.set(idHeader, message.id);
    about.set(attemptsHeader, String(attempts));
    // As JSON: a header is one line.
    about.set(reasonHeader, JSON.stringify(reason.slice(0, reasonLengthMax)));
    await this.#broker.perform(() =>
      this.#broker.client.publish(deadSubject, message.body, { headers: about, msgID: message.origin }),
    );
    await message.terminate();
  }

  async list(topic: Topic, max: number): Promise<readonly DeadLetter[]> {
    const { deadStream } = this.#streams.names(topic);
    const { state } = await this.#broker.perform(() =>
      this.#broker.manager.streams.info(deadStream, { deleted_details: true }),
    );
    const gone = new Set(state.deleted);
    const found: DeadLetter[] = [];
    // A stream that never had a message says 0 for both.
    const first = Math.max(1, state.first_seq);
    let next = state.last_seq;
    while (found.length < max && next >= first) {
      const asked: number[] = [];
      for (; asked.length < Math.min(asksMax, max - found.length) && next >= first; next--) {
        if (!gone.has(next)) asked.push(next);
      }
      const stored = await Promise.all(asked.map((seq) => this.#read(topic, seq)));
      found.push(...stored.filter((message) => message !== null).map(toDeadLetter));
    }
    return found;
  }

  /** Published first, forgotten then, under an id of its own: the broker still remembers the message's. */
  redrive(topic: Topic, letters: readonly string[]): Promise<number> {
    const { subject } = this.#streams.names(topic);
    return this.#each(topic, letters, async (stored) => {
      const about = headers();
      about.set(idHeader, stored.header.get(idHeader));
      const msgID = `redrive-${stored.seq}-${stored.timestamp}`;
      await this.#broker.perform(() => this.#broker.client.publish(subject, stored.data, { headers: about, msgID }));
      await this.#remove(topic, stored.seq);
      return true;
    });
  }

  discard(topic: Topic, letters: readonly string[]): Promise<number> {
    return this.#each(topic, letters, ({ seq }) => this.#remove(topic, seq));
  }

  /** Applies an action to the letters that exist, and returns how often it succeeded. */
  async #each(topic: Topic, letters: readonly string[], act: (stored: StoredMsg) => Promise<boolean>): Promise<number> {
    const sequences = [...new Set(letters)].filter((letter) => /^[1-9]\d{0,15}$/.test(letter)).map(Number);
    let count = 0;
    while (sequences.length > 0) {
      const done = sequences.splice(0, asksMax).map(async (seq) => {
        const stored = await this.#read(topic, seq);
        return stored !== null && (await act(stored));
      });
      count += (await Promise.all(done)).filter(Boolean).length;
    }
    return count;
  }

  /** Null when it is not there. */
  #read(topic: Topic, seq: number): Promise<StoredMsg | null> {
    const { deadStream } = this.#streams.names(topic);
    return this.#broker.perform(() => this.#broker.manager.streams.getMessage(deadStream, { seq }));
  }

  /** True when this call removed it. */
  #remove(topic: Topic, seq: number): Promise<boolean> {
    const { deadStream } = this.#streams.names(topic);
    return this.#broker.perform(async () => {
      try {
        return await this.#broker.manager.streams.deleteMessage(deadStream, seq, false);
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === deleteFailed) return false;
        throw error;
      }
    });
  }
}

function toDeadLetter(stored: StoredMsg): DeadLetter {
  const { seq, header, time } = stored;
  return {
    letter: String(seq),
    id: header.get(idHeader),
    body: stored.string(),
    attempts: Number(header.get(attemptsHeader)),
    reason: String(JSON.parse(header.get(reasonHeader) || '""')),
    buriedAt: time.toISOString(),
  };
}
