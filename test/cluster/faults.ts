import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { startFarSide } from "./far-side.ts";
import { startShiftedClock } from "./shifted-clock.ts";

const outageMs = 20_000;
/** Longer than any hold on a message (`topics.ts`). */
const stallMs = 40_000;
const settleMs = 1_000;

/** A fault that is over when `inject` resolves. Each is injected under load. */
export interface Fault {
  readonly name: string;
  /** How often the load sends each batch. */
  readonly copies: number;
  inject(cluster: Cluster): Promise<void>;
}

/**
 * Every fault that the service must survive, with each acknowledged event stored once and each incident opened once.
 */
export const faults: readonly Fault[] = [
  restarted("gateways killed", "SIGKILL", ({ gateways }) => gateways),
  restarted("writers killed", "SIGKILL", ({ writers }) => writers),
  restarted("analyzers killed", "SIGKILL", ({ analyzers }) => analyzers),
  restarted("rolling restart of every role", "SIGTERM", ({ gateways, writers, analyzers }) => [
    ...analyzers,
    ...writers,
    ...gateways,
  ]),
  {
    name: "ClickHouse down for 20 s",
    copies: 1,
    async inject({ clickHouse }) {
      await clickHouse.kill("SIGKILL");
      await delay(outageMs);
      await clickHouse.restart();
    },
  },
  {
    // The writers are at their limit then: what they took and couldn't store must be redelivered.
    name: "writers killed while ClickHouse is down",
    copies: 1,
    async inject({ clickHouse, writers }) {
      await clickHouse.kill("SIGKILL");
      await delay(outageMs / 4);
      await Promise.all(writers.map((writer) => writer.end("SIGKILL")));
      await clickHouse.restart();
      await Promise.all(writers.map((writer) => writer.start()));
    },
  },
  {
    name: "PostgreSQL restarted",
    copies: 1,
    async inject({ postgres }) {
      await postgres.restart("immediate");
      await delay(settleMs);
    },
  },
  {
    name: "every batch sent three times, to different gateways",
    copies: 3,
    inject: () => delay(outageMs / 4),
  },
  {
    name: "a clock set back an hour",
    copies: 1,
    async inject(cluster) {
      const shifted = await startShiftedClock(cluster);
      await delay(settleMs);
      await shifted.setBack(3_600);
      await delay(outageMs / 2);
      await shifted.stop();
    },
  },
  {
    name: "writer and analyzer cut off from everything for 20 s",
    copies: 1,
    async inject(cluster) {
      await using far = await startFarSide(cluster);
      await delay(settleMs);
      await far.cut();
      await delay(outageMs);
      await far.mend();
      await delay(settleMs);
    },
  },
  {
    name: "writer stalled past its hold",
    copies: 1,
    async inject({ writers: [writer] }) {
      writer?.signal("SIGSTOP");
      await delay(stallMs);
      writer?.signal("SIGCONT");
    },
  },
  {
    name: "one NATS server lost and back",
    copies: 1,
    async inject({ nats }) {
      await nats.kill(0, "SIGKILL");
      await delay(outageMs / 2);
      await nats.restart(0);
    },
  },
  {
    name: "all of NATS down for 20 s",
    copies: 1,
    async inject({ nats }) {
      const nodes = [0, 1, 2];
      await Promise.all(nodes.map((node) => nats.kill(node, "SIGKILL")));
      await delay(outageMs);
      await Promise.all(nodes.map((node) => nats.restart(node)));
    },
  },
];

/** Ends the processes, one after another, in the middle of their work, and restarts them. */
function restarted(name: string, signal: NodeJS.Signals, of: (cluster: Cluster) => Cluster["gateways"]): Fault {
  return {
    name,
    copies: 1,
    async inject(cluster) {
      for (const role of of(cluster)) {
        await role.end(signal);
        if (signal === "SIGKILL") await delay(settleMs);
        await role.start();
      }
    },
  };
}
