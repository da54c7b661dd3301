import { HttpSender } from "../src/http.ts";
import { describeProcess } from "../src/process-description.ts";
import { EventQueue } from "../src/queue.ts";
import { SourceContexts } from "../src/source-context.ts";
import { Transport } from "../src/transport.ts";
import { encodeEvent } from "../src/trim.ts";
import { uuidv7 } from "../src/uuid.ts";
import { toWireEvent } from "../src/wire-event.ts";

/** A queue, and a transport that empties it over real HTTP by a clock of the test's. */
export interface TestTransport {
  readonly queue: EventQueue;
  readonly transport: Transport;
  readonly sender: HttpSender;
  /** Puts messages in the queue. */
  add(count: number, messageLength?: number): void;
  /** Lets time pass. */
  pass(ms: number): void;
}

/** When the clock of a {@link TestTransport} starts. */
export const startTime: number = Date.parse("2026-11-21T12:00:00Z");

/** `withheld` says which numbers the program keeps back. */
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
    encode: (event) => (withheld(event.seq) ? null : encodeEvent(toWireEvent(event, sources, false))),
    post: (json) => sender.post(json),
    clock: () => now,
    elapsed: () => now,
    random,
  });
  return {
    queue,
    transport,
    sender,
    add(count, messageLength = 10) {
      for (let index = 0; index < count; index++) {
        queue.add({
          id: uuidv7(now),
          type: "log",
          timestamp: now,
          level: "info",
          message: "m".repeat(messageLength),
          mechanism: { type: "test", handled: true },
        });
      }
    },
    pass(ms) {
      now += ms;
    },
  };
}
