import {
  type Category,
  type ExitedProcess,
  isCrashLoop,
  type ProcessExit,
  type ProcessExitKind,
} from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { observeData } from "../findings/observe-input.ts";
import { ofKind } from "../findings/of-kind.ts";
import type { FailureContext } from "../outside/failure-context.ts";
import { assessExit, type PossibleExit, tellingProcess } from "../process-exit/assess.ts";
import { outsideOfExit, withOutside } from "../process-exit/outside-exits.ts";
import type { ExitFact } from "../signals/facts/exit-fact.ts";
import type { Suspect } from "./suspect.ts";

const categories: Readonly<Record<ProcessExitKind, Category>> = {
  "out-of-memory": "resource-exhaustion",
  killed: "unknown",
  hung: "infinite-loop",
  "host-lost": "unknown",
  "everything-lost": "unknown",
};

/** Readings that show how memory filled up; any other exit shows in the last one. */
const memoryReadingsMax = 3;

/**
 * Returns the ways in which processes may have ended, the most likely first. A cause that several processes share
 * reduces the probability of the ways in which one of them may have ended on its own.
 */
export function exitSuspects(
  exit: ProcessExit,
  observations: readonly Observation[],
  context: FailureContext,
): Suspect[] {
  const process = tellingProcess(exit);
  if (!process) return [];
  const outside = outsideOfExit(observations, context);
  const shared = isShared(exit) ? [sharedSuspect(exit, process, observations)] : [];
  const left = 1 - Math.max(0, ...shared.map(({ weight }) => weight));
  const possible = withOutside(assessExit(process), outside).map((one) =>
    possibleSuspect({ ...one, likelihood: one.likelihood * left }, exit, process, observations),
  );
  const [first, ...others] = [...shared, ...possible].toSorted((one, other) => other.weight - one.weight);
  if (!first) return [];
  const seen = outside.map(({ observation }) => observation);
  return [{ ...first, observations: [...first.observations, ...seen] }, ...others];
}

function isShared({ kind }: ProcessExit): boolean {
  return kind === "host-lost" || kind === "everything-lost";
}

/** Returns what the processes share: their machines, or the network between them and the service. */
function sharedSuspect(exit: ProcessExit, process: ExitedProcess, observations: readonly Observation[]): Suspect {
  const { kind, confidence, processes } = exit;
  const hosts = [...new Set(processes.map(({ host }) => host))];
  const fact = { ...extentOf(exit, process), kind, likelihood: confidence, reasons: [] };
  return {
    subject: { kind: "dependency", name: hosts.join(", ") },
    service: null,
    category: categories[kind],
    weight: confidence,
    reasons: [],
    observations: [observeFact(fact, exit), ...ofKind(observations, "last-heartbeat")],
  };
}

function possibleSuspect(
  possible: PossibleExit,
  exit: ProcessExit,
  process: ExitedProcess,
  observations: readonly Observation[],
): Suspect {
  const { service, host, instance } = process;
  const readings = ofKind(observations, "vital-signs");
  const lastHeartbeats = ofKind(observations, "last-heartbeat").filter(
    ({ fact }) => isCrashLoop(exit) || fact.lastHeartbeat.instance === instance,
  );
  return {
    subject: { kind: "process", service, host, instance },
    service: isShared(exit) ? null : service,
    category: categories[possible.kind],
    weight: possible.likelihood,
    reasons: [],
    observations: [
      observeFact({ ...extentOf(exit, process), ...possible }, exit),
      ...lastHeartbeats,
      ...readings.slice(possible.kind === "out-of-memory" ? -memoryReadingsMax : -1),
      ...(possible.kind === "hung" ? ofKind(observations, "main-thread") : []),
    ],
  };
}

function extentOf(exit: ProcessExit, process: ExitedProcess): Omit<ExitFact, "kind" | "likelihood" | "reasons"> {
  const { processes } = exit;
  const [start, last] = [processes[0], processes.at(-1)];
  const lifetimes = processes.map(({ firstSeenAt, lastSeenAt }) => Date.parse(lastSeenAt) - Date.parse(firstSeenAt));
  const loop =
    isCrashLoop(exit) && start && last
      ? {
          firstAt: start.firstSeenAt,
          lastAt: last.firstSeenAt,
          shortestMs: Math.min(...lifetimes),
          longestMs: Math.max(...lifetimes),
        }
      : null;
  return {
    service: process.service,
    runtime: process.runtime,
    hosts: isShared(exit) ? [...new Set(processes.map(({ host }) => host))] : [process.host],
    services: [...new Set(processes.map(({ service }) => service))],
    processes: processes.length,
    loop,
  };
}

function observeFact(fact: ExitFact, { noticedAt }: ProcessExit): Observation {
  return observeData({ kind: "telemetry", name: "heartbeats" }, fact, {
    observed_at: noticedAt,
    fact: { kind: "exit", exit: fact },
  });
}
