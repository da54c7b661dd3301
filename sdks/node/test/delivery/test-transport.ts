import { causeChain } from "../../src/core/cause-chain.ts";
import type { WhenceEvent } from "../../src/core/event.ts";
import { encodeEvent } from "../../src/core/trim-event.ts";
import { toWireEvent } from "../../src/core/wire-event.ts";
import { HttpSender } from "../../src/delivery/http.ts";
import { EventQueue } from "../../src/delivery/queue.ts";
import { Transport } from "../../src/delivery/transport.ts";
import { describeProcess } from "../../src/process/process-description.ts";
import { uuidv7 } from "../../src/runtime/uuid.ts";
import { SourceContexts } from "../../src/source/source-context.ts";

/** A queue, and a transport that empties it over real HTTP with a controlled clock. */
export interface TestTransport {
  readonly queue: EventQueue;
  readonly transport: Transport;
  readonly sender: HttpSender;
  /** Adds messages to the queue. */
  add(count: number, messageLength?: number): void;
  /** Adds an error to the queue. */
  fail(error: Error): void;
  /** Advances the clock. */
  pass(ms: number): void;
}

/** The initial time of a {@link TestTransport}. */
export const startTime: number = Date.parse("2026-11-21T12:00:00Z");

/** Creates a transport; `withheld` selects the numbers that the program drops. */
export function testTransport(
  endpoint: string,
  random: () => number = () => 1,
  withheld: (seq: number) => boolean = () => false,
): TestTransport {
  let now = startTime;
  const queue = new EventQueue();
  const sender = new HttpSender(endpoint, "whk_test");
  const header = describeProcess({ service: "s", env: "PROD", release: "r1" });
  const sources = new SourceContexts();
  const transport = new Transport({
    queue,
    sources,
    header: () => header,
    approve: () => undefined,
    encode: (event) => (withheld(event.seq) ? null : encodeEvent(toWireEvent(event, sources, false))),
    post: (json) => sender.post(json),
    clock: () => now,
    elapsed: () => now,
    random,
  });
  const event = (message: string): WhenceEvent => ({
    id: uuidv7(now),
    type: "log",
    timestamp: now,
    level: "info",
    message,
    mechanism: { type: "test", handled: true },
  });
  return {
    queue,
    transport,
    sender,
    add(count, messageLength = 10) {
      for (let index = 0; index < count; index++) queue.add(event("m".repeat(messageLength)));
    },
    fail(error) {
      queue.add({ ...event(error.message), type: "exception", thrown: causeChain(error) });
    },
    pass(ms) {
      now += ms;
    },
  };
}
