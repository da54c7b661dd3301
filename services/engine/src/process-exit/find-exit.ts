import { type Category, isCrashLoop, type ProcessExit, type ProcessExitKind } from "@whence/protocol";
import { onlyChanges } from "../changes/only-change.ts";
import type { Findings, Observation, ParsedError } from "../findings/findings.ts";
import type { InvestigationSubject } from "../findings/investigation-subject.ts";
import { observeData } from "../findings/observations.ts";
import type { ExitFact } from "../findings/telemetry-facts.ts";
import type { Collected } from "../observe/collect.ts";
import { failureContextOf } from "../outside/failure-context.ts";
import type { Candidate, Ranking } from "../rank/candidate.ts";
import { trueObservations } from "../report/truth.ts";
import { assessExit, mostTelling, type PossibleExit } from "./assess.ts";
import { type ObservedProcess, observeProcess } from "./observe-exit.ts";
import { type OutsideOfExit, outsideOfExit, withOutside } from "./outside-exits.ts";

const categories: Readonly<Record<ProcessExitKind, Category>> = {
  "out-of-memory": "resource-exhaustion",
  killed: "unknown",
  hung: "infinite-loop",
  "host-lost": "unknown",
  "everything-lost": "unknown",
};

const scoreMin = 0.05;
const scoreMax = 0.95;
const tiePoints = 0.1;
const readingsMax = 3;
/** Of a release that changed more files, none is more likely than the rest. */
const namedFilesMax = 3;

/** What a process exit comes to: findings and candidates like those of any error. */
export interface FoundExit {
  readonly findings: Findings;
  readonly ranking: Ranking;
}

/** Judges how processes ended by what they reported last. */
export function findExit(
  exit: ProcessExit,
  incident: InvestigationSubject["incident"],
  collected: Collected,
  connected?: InvestigationSubject["connected"],
): FoundExit {
  const observed = exit.processes.map((process) => observeProcess(process, exit));
  const telling = isCrashLoop(exit) ? mostTelling(exit.processes) : exit.processes[0];
  const first = observed.find(({ process }) => process === telling);
  if (!first) throw new TypeError("a process exit names at least one process");
  const { readings, activities, stack } = first;
  const known = trueObservations(collected.observations);
  const observations = [
    ...observed.map(({ lastHeartbeat }) => lastHeartbeat),
    ...readings,
    ...activities,
    ...(stack ? [stack] : []),
    ...known.filter(({ fact }) => fact.kind !== "change"),
  ];
  const base = { incident, observedAt: exit.noticedAt, error: noError, event: null, files: [], frames: [], clues: [] };
  const { notChecked } = collected;
  const findings: Findings = {
    ...base,
    observations,
    signatures: [],
    notChecked,
    onlyChanges: onlyChanges(known, namedFilesMax),
    ...(connected && { connected }),
    exit,
  };
  const outside = outsideOfExit(observations, failureContextOf(findings));
  const candidates = candidatesOf(exit, observed, first, outside);
  const [winner, second] = candidates;
  const isReported = winner?.observations.some(isReportedEnd) === true;
  const sure = isReported ? Math.max(exit.confidence, winner.probability) : exit.confidence;
  const score = Math.min(scoreMax, Math.max(scoreMin, sure));
  const isTie = winner !== undefined && second !== undefined && winner.probability - second.probability <= tiePoints;
  return {
    findings,
    ranking: {
      candidates,
      confidence: {
        score,
        modelScore: score,
        judged: 0,
        confirmed: 0,
        isTie,
        isContested: false,
        isForgeable: false,
        about: "service",
      },
    },
  };
}

const noError: ParsedError = {
  ...{
    exceptions: [],
    chain: [],
    chosenBecause: null,
    records: [],
    alert: null,
    headline: "",
    sources: [],
    unread: [],
  },
};

/** Whether a third party saw how it ended. */
function isReportedEnd({ fact }: Observation): boolean {
  return fact.kind === "exit" && fact.exit.reasons.some(({ kind }) => kind === "reported-kill" || kind === "rollout");
}

/** What several processes have in common is the cause; else each way that it may have ended, the most likely first. */
function candidatesOf(
  exit: ProcessExit,
  observed: readonly ObservedProcess[],
  first: ObservedProcess,
  outside: readonly OutsideOfExit[],
): Candidate[] {
  const lastHeartbeats = (isCrashLoop(exit) ? observed : [first]).map(({ lastHeartbeat }) => lastHeartbeat);
  const exits = withOutside(assessExit(first.process), outside).map((possible) =>
    ofPossible(possible, exit, first, lastHeartbeats),
  );
  const seen = outside.map(({ observation }) => observation);
  if (exit.kind !== "host-lost" && exit.kind !== "everything-lost") return withFirst(exits, seen);
  const hosts = [...new Set(exit.processes.map(({ host }) => host))];
  const shared: Candidate = {
    subject: { kind: "dependency", name: hosts.join(", ") },
    ...{ service: null, category: categories[exit.kind], probability: exit.confidence },
    ...{ signals: [], frames: [], signature: null },
    observations: [
      observeExit({ ...sharedFactOf(exit, first), kind: exit.kind, likelihood: exit.confidence, reasons: [] }, exit),
      ...observed.map(({ lastHeartbeat }) => lastHeartbeat),
    ],
  };
  return withFirst([shared, ...exits], seen);
}

/** Shows what third parties saw with the most likely exit. */
function withFirst([first, ...others]: readonly Candidate[], seen: readonly Observation[]): Candidate[] {
  return first ? [{ ...first, observations: [...first.observations, ...seen] }, ...others] : others;
}

function ofPossible(
  possible: PossibleExit,
  exit: ProcessExit,
  first: ObservedProcess,
  lastHeartbeats: readonly Observation[],
): Candidate {
  const { service, host, instance } = first.process;
  const isShared = exit.kind === "host-lost" || exit.kind === "everything-lost";
  const readings = first.readings.slice(possible.kind === "out-of-memory" ? -readingsMax : -1);
  return {
    subject: { kind: "process", service, host, instance },
    ...{ service: isShared ? null : service, category: categories[possible.kind], probability: possible.likelihood },
    ...{ signals: [], frames: [], signature: null },
    observations: [
      observeExit({ ...sharedFactOf(exit, first), ...possible }, exit),
      ...lastHeartbeats,
      ...readings,
      ...(possible.kind === "hung" && first.stack ? [first.stack] : []),
    ],
  };
}

function sharedFactOf(
  exit: ProcessExit,
  { process }: ObservedProcess,
): Omit<ExitFact, "kind" | "likelihood" | "reasons"> {
  const { processes } = exit;
  const isOne = exit.kind !== "host-lost" && exit.kind !== "everything-lost";
  const [start, last] = [processes[0], processes.at(-1)];
  const lifetimes = processes.map(({ firstSeenAt, lastSeenAt }) => Date.parse(lastSeenAt) - Date.parse(firstSeenAt));
  const loop =
    isCrashLoop(exit) && start && last
      ? {
          ...{ firstAt: start.firstSeenAt, lastAt: last.firstSeenAt },
          ...{ shortestMs: Math.min(...lifetimes), longestMs: Math.max(...lifetimes) },
        }
      : null;
  return {
    service: process.service,
    hosts: isOne ? [process.host] : [...new Set(processes.map(({ host }) => host))],
    services: [...new Set(processes.map(({ service }) => service))],
    processes: processes.length,
    loop,
  };
}

function observeExit(fact: ExitFact, { noticedAt }: ProcessExit): Observation {
  return observeData({ kind: "telemetry", name: "heartbeats" }, fact, {
    observed_at: noticedAt,
    fact: { kind: "exit", exit: fact },
  });
}
