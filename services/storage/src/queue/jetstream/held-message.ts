import type { Msg } from "@nats-io/transport-node";
import type { Topic } from "../queue.ts";
import { answerMs, type Broker } from "./broker.ts";

/** The header with the message's id, if the broker deduplicates by another one. */
export const idHeader = "Whence-Id";

/** An answer must reach the server while the hold lasts there: what would be so late is not sent. */
const flightMs = 1_000;
const flightShare = 0.1;

/**
 * A message that the broker handed to this process. JetStream doesn't distinguish deliveries of one message: it takes a
 * late acknowledgment for one by the current holder (seen on 2.9 and on 2.12). So a message whose hold has run out by
 * this process's clock is not settled.
 */
export class HeldMessage {
  readonly id: string;
  readonly body: string;
  readonly attempt: number;
  /** Unique among all messages of the stream, including after the stream is created again. */
  readonly origin: string;
  readonly #broker: Broker;
  readonly #reply: string;
  readonly #holdMs: number;
  #heldUntil: number;

  constructor(broker: Broker, topic: Topic, message: Msg, heldFrom: number) {
    const { deliveries, sequence, storedAt } = readReply(message.reply ?? "");
    this.id = message.headers?.get(idHeader) || (message.headers?.get("Nats-Msg-Id") ?? "");
    this.body = message.string();
    this.attempt = deliveries;
    this.origin = `${sequence}-${storedAt}`;
    this.#broker = broker;
    this.#reply = message.reply ?? "";
    this.#holdMs = topic.visibilityTimeoutMs - Math.min(flightMs, topic.visibilityTimeoutMs * flightShare);
    this.#heldUntil = heldFrom + this.#holdMs;
  }

  /** False when another receiver holds, or may hold, the message by now. */
  isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  acknowledge(): Promise<void> {
    return this.#settle("+ACK");
  }

  /** Removes it for another reason than that it was done. */
  terminate(): Promise<void> {
    return this.#settle("+TERM");
  }

  giveBack(delayMs: number): Promise<void> {
    return this.#settle(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: Math.round(delayMs * 1_000_000) })}` : "-NAK");
  }

  async extend(): Promise<void> {
    const from = performance.now();
    await this.#settle("+WPI");
    if (this.isHeld()) this.#heldUntil = from + this.#holdMs;
  }

  /** Resolves when the server has noted it. Without effect when the hold is over, at a second attempt to send it too. */
  #settle(verb: string): Promise<void> {
    return this.#broker.perform(async () => {
      if (this.isHeld()) await this.#broker.connection.request(this.#reply, verb, { timeout: answerMs });
    });
  }
}

/**
 * `$JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<deliveries>.<sequence>.<consumer sequence>.<stored at>.<pending>[.<token>]`
 * (NATS ADR-15).
 */
function readReply(reply: string): { deliveries: number; sequence: number; storedAt: string } {
  const tokens = reply.split(".");
  const first = tokens.length > 9 ? 6 : 4;
  const [deliveries, sequence, , storedAt = ""] = tokens.slice(first);
  return { deliveries: Number(deliveries), sequence: Number(sequence), storedAt };
}
