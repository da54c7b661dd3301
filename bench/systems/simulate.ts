import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMs, minuteMs } from "@whence/protocol";
import { randomNumbers } from "../faults/random.ts";
import { Choice } from "./choice.ts";
import type { CodeFile } from "./code-change.ts";
import { Customers } from "./customers.ts";
import { type Fault, type Operator, releaseAfter, type Stage } from "./fault.ts";
import { Conductor } from "./machines/conductor.ts";
import { useTime } from "./machines/install.ts";
import { RunningSystem } from "./running-system.ts";
import { type ReceivedBatch, Sink } from "./sink.ts";
import { type ServicePlan, type Topology, topologyOf } from "./topology.ts";

/** Which system is broken, how, and by which random numbers. */
export interface RunName {
  readonly topology: number;
  readonly operator: Operator;
  readonly seed: number;
}

/** Something that people did to a system. Milliseconds since 1970. */
export interface Done {
  readonly what: "release" | "setting" | "flag" | "fault";
  readonly service: string;
  readonly release: string | null;
  readonly at: number;
}

/** What happened in a system, and what its clients sent. */
export interface SimulatedRun {
  readonly topology: Topology;
  readonly fault: Fault;
  readonly injectedAt: number;
  readonly endedAt: number;
  readonly batches: readonly ReceivedBatch[];
  /** The code of each release, by service and release. */
  readonly sources: ReadonlyMap<string, readonly CodeFile[]>;
  readonly done: readonly Done[];
}

/** Any day will do: events are read back by their times. */
const dayOne = Date.parse("2026-01-05T00:00:00.000Z");
/** Requests of a run, about: many a minute for a short time, or few for long. */
const paces = [
  { perMinute: 3, healthyMinutes: 10 },
  { perMinute: 5, healthyMinutes: 6 },
  { perMinute: 10, healthyMinutes: 4 },
] as const;
/** How long a failure is watched. */
const watchedMs = 2 * minuteMs;
const checkMs = 1_000;
const firstOddMs = 20_000;
const oddPerMinute = 12;
const oddShare = 0.06;

/** Runs a system, breaks it, and watches it; null where the operator has no place in it. */
export async function simulate({ topology: number, operator, seed }: RunName): Promise<SimulatedRun | null> {
  const topology = topologyOf(number);
  const choice = new Choice(randomNumbers(seed));
  const fault = operator.plan(topology, choice);
  if (!fault) return null;
  const conductor = new Conductor(dayOne + choice.between(0, 300) * dayMs + choice.between(0, dayMs));
  if (topology.usesFetch) await fetch("data:,").then((answer) => answer.text());
  useTime(conductor.time);
  const folder = mkdtempSync(join(tmpdir(), "whence-system-"));
  try {
    await using sink = await Sink.open(() => conductor.now, new RegExp(`${folder}/[^/]+/`, "g"));
    using system = await RunningSystem.start({ topology, conductor, folder, telemetryUrl: sink.url });
    const customers = new Customers(topology, system, conductor, choice);
    const stage = { topology, system, conductor, customers, choice };
    const done = await play(fault, operator, stage);
    await new Promise((resolve) => setImmediate(resolve));
    return {
      ...{ topology, fault, injectedAt: done.injectedAt, endedAt: conductor.now, batches: sink.received },
      ...{ sources: system.sources, done: done.done },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function play(fault: Fault, operator: Operator, stage: Stage): Promise<{ injectedAt: number; done: Done[] }> {
  const { conductor, customers, choice, system } = stage;
  const { perMinute, healthyMinutes } = choice.of(paces);
  const injectedAt = conductor.now + healthyMinutes * minuteMs * (0.7 + 0.6 * choice.share());
  const endAt = injectedAt + watchedMs;
  const done: Done[] = [];
  customers.plan(conductor.now + checkMs, endAt, perMinute);
  if (operator.family !== "data" && choice.chance(0.4)) planOddRequests(stage);
  planDecoys(fault, injectedAt, stage, done);
  planFlicker(injectedAt, stage);
  for (let at = injectedAt; at < endAt; at += checkMs) conductor.plan(at, () => system.endFull());
  conductor.plan(injectedAt, async () => {
    for (const service of fault.cause.services)
      done.push({ what: whatOf(operator), service, release: fault.cause.release, at: conductor.now });
    await fault.inject(stage);
  });
  await conductor.runUntil(endAt);
  await conductor.settle();
  return { injectedAt, done };
}

/** Requests that the entry refuses, all the time: what comes of them is known before the fault. */
function planOddRequests({ conductor, customers }: Stage): void {
  customers.habit = { asking: "text-quantity", share: 1 };
  customers.plan(conductor.now + checkMs, conductor.now + firstOddMs, oddPerMinute);
  conductor.plan(conductor.now + firstOddMs, () => {
    customers.habit = { asking: "text-quantity", share: oddShare };
  });
}

function whatOf({ family, name }: Operator): Done["what"] {
  if (name === "flag-on") return "flag";
  return family === "release" || family === "setting" ? family : "fault";
}

/** Releases and settings that change nothing, near the failure. */
function planDecoys({ cause }: Fault, injectedAt: number, stage: Stage, done: Done[]): void {
  const { topology, choice } = stage;
  const others = topology.services.filter(({ name }) => !cause.services.includes(name));
  const own = topology.services.filter(({ name }) => cause.services.includes(name));
  const before = (): number => injectedAt - choice.between(5, 9 * 60) * 1_000;
  if (others.length > 0 && choice.chance(0.55)) planRelease(choice.of(others), before(), stage, done);
  if (others.length > 0 && choice.chance(0.15)) planRelease(choice.of(others), before(), stage, done);
  if (own.length > 0 && choice.chance(0.12)) planRelease(choice.of(own), injectedAt - 6 * minuteMs, stage, done);
  if (others.length > 0 && choice.chance(0.25)) planSetting(choice.of(others), before(), stage, done);
}

function planRelease(service: ServicePlan, at: number, { conductor, system, choice }: Stage, done: Done[]): void {
  conductor.plan(at, async () => {
    const version = system.versionOf(service);
    const release = releaseAfter(version.release, choice);
    done.push({ what: "release", service: service.name, release, at: conductor.now });
    await system.replace(service, { ...version, release, change: { comment: `Release ${release}.` } });
  });
}

function planSetting(service: ServicePlan, at: number, { conductor, system }: Stage, done: Done[]): void {
  conductor.plan(at, async () => {
    const version = system.versionOf(service);
    done.push({ what: "setting", service: service.name, release: null, at: conductor.now });
    await system.replace(service, { ...version, settings: { ...version.settings, SIGNING_KEY: "k2" } });
  });
}

/** Something that a service depends on fails for a moment, long before. */
function planFlicker(injectedAt: number, { conductor, system, topology, choice }: Stage): void {
  if (!choice.chance(0.35)) return;
  const { name } = choice.of(topology.parties);
  const at = conductor.now + choice.share() * (injectedAt - conductor.now - 2 * minuteMs);
  conductor.plan(at, () => system.turn(name, choice.of(["failing", "resetting"] as const)));
  conductor.plan(at + 30_000, () => system.turn(name, "well"));
}
