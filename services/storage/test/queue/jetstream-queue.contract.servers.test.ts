import { setTimeout as delay } from "node:timers/promises";
import { afterAll } from "vitest";
import { startNatsServer } from "../../../../test/servers/nats-server.ts";
import { openJetStreamQueue } from "../../src/queue/jetstream-queue.ts";
import { describeQueue } from "./queue.contract.ts";

/** What a server on a busy machine may be late by. */
const slackMs = 60;

const server = await startNatsServer();
afterAll(() => server.stop());
let places = 0;

describeQueue("jetstream", () => {
  places += 1;
  const name = `place-${places}`;
  return {
    open: () => openJetStreamQueue({ servers: server.urls, replicas: 1, name }),
    now: Date.now,
    pass: (ms) => delay(ms + slackMs),
  };
});
