import { type Category, isCrashLoop, type ProcessExit, type ProcessExitKind } from "@whence/protocol";
import { onlyChanges } from "../changes/only-change.ts";
import type { Findings, Observation, ParsedError } from "../findings/findings.ts";
import type { InvestigationSubject } from "../findings/investigation-subject.ts";
import { observeData } from "../findings/observations.ts";
import type { EndFact } from "../findings/telemetry-facts.ts";
import type { Collected } from "../observe/collect.ts";
import { failureContextOf } from "../outside/failure-context.ts";
import type { Candidate, Ranking } from "../rank/candidate.ts";
import { trueObservations } from "../report/truth.ts";
import { assessEnd, mostTelling, type PossibleEnd } from "./assess.ts";
import { type ObservedProcess, observeProcess } from "./observe-exit.ts";
import { type OutsideOfExit, outsideOfExit, withOutside } from "./outside-ends.ts";

const categories: Readonly<Record<ProcessExitKind, Category>> = {
  "out-of-memory": "resource-exhaustion",
  killed: "unknown",
  hung: "infinite-loop",
  "host-lost": "unknown",
  "everything-silent": "unknown",
};

const scoreMin = 0.05;
const scoreMax = 0.95;
const tiePoints = 0.1;
const readingsMax = 3;
/** Of a release that changed more files, none is more likely than the rest. */
const namedFilesMax = 3;

/** What a silent death comes to: findings and candidates like those of any error. */
export interface FoundDeath {
  readonly findings: Findings;
  readonly ranking: Ranking;
}

/** Judges how processes ended by what they reported last. */
export function findExit(
  death: ProcessExit,
  incident: InvestigationSubject["incident"],
  collected: Collected,
  connected?: InvestigationSubject["connected"],
): FoundDeath {
  const observed = death.processes.map((process) => observeProcess(process, death));
  const telling = isCrashLoop(death) ? mostTelling(death.processes) : death.processes[0];
  const first = observed.find(({ process }) => process === telling);
  if (!first) throw new TypeError("a silent death names at least one process");
  const { readings, activities, stack } = first;
  const known = trueObservations(collected.observations);
  const observations = [
    ...observed.map(({ silence }) => silence),
    ...readings,
    ...activities,
    ...(stack ? [stack] : []),
    ...known.filter(({ fact }) => fact.kind !== "change"),
  ];
  const base = { incident, observedAt: death.noticedAt, error: noError, event: null, files: [], frames: [], clues: [] };
  const { notChecked } = collected;
  const findings: Findings = {
    ...base,
    observations,
    signatures: [],
    notChecked,
    onlyChanges: onlyChanges(known, namedFilesMax),
    ...(connected && { connected }),
    death,
  };
  const outside = outsideOfExit(observations, failureContextOf(findings));
  const candidates = candidatesOf(death, observed, first, outside);
  const [winner, second] = candidates;
  const isReported = winner?.observations.some(isReportedEnd) === true;
  const sure = isReported ? Math.max(death.confidence, winner.probability) : death.confidence;
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
  return fact.kind === "end" && fact.end.reasons.some(({ kind }) => kind === "reported-kill" || kind === "rollout");
}

/** What several processes have in common is the cause; else each way to end, the most likely first. */
function candidatesOf(
  death: ProcessExit,
  observed: readonly ObservedProcess[],
  first: ObservedProcess,
  outside: readonly OutsideOfExit[],
): Candidate[] {
  const silences = (isCrashLoop(death) ? observed : [first]).map(({ silence }) => silence);
  const ends = withOutside(assessEnd(first.process), outside).map((end) => ofEnd(end, death, first, silences));
  const seen = outside.map(({ observation }) => observation);
  if (death.kind !== "host-lost" && death.kind !== "everything-silent") return withFirst(ends, seen);
  const hosts = [...new Set(death.processes.map(({ host }) => host))];
  const shared: Candidate = {
    subject: { kind: "dependency", name: hosts.join(", ") },
    ...{ service: null, category: categories[death.kind], probability: death.confidence },
    ...{ signals: [], frames: [], signature: null },
    observations: [
      observeEnd({ ...endOf(death, first), kind: death.kind, likelihood: death.confidence, reasons: [] }, death),
      ...observed.map(({ silence }) => silence),
    ],
  };
  return withFirst([shared, ...ends], seen);
}

/** Shows what third parties saw with the most likely end. */
function withFirst([first, ...others]: readonly Candidate[], seen: readonly Observation[]): Candidate[] {
  return first ? [{ ...first, observations: [...first.observations, ...seen] }, ...others] : others;
}

function ofEnd(
  end: PossibleEnd,
  death: ProcessExit,
  first: ObservedProcess,
  silences: readonly Observation[],
): Candidate {
  const { service, host, instance } = first.process;
  const isShared = death.kind === "host-lost" || death.kind === "everything-silent";
  const readings = first.readings.slice(end.kind === "out-of-memory" ? -readingsMax : -1);
  return {
    subject: { kind: "process", service, host, instance },
    ...{ service: isShared ? null : service, category: categories[end.kind], probability: end.likelihood },
    ...{ signals: [], frames: [], signature: null },
    observations: [
      observeEnd({ ...endOf(death, first), ...end }, death),
      ...silences,
      ...readings,
      ...(end.kind === "hung" && first.stack ? [first.stack] : []),
    ],
  };
}

function endOf(death: ProcessExit, { process }: ObservedProcess): Omit<EndFact, "kind" | "likelihood" | "reasons"> {
  const { processes } = death;
  const isOne = death.kind !== "host-lost" && death.kind !== "everything-silent";
  const [start, last] = [processes[0], processes.at(-1)];
  const lifetimes = processes.map(({ firstSeenAt, lastSeenAt }) => Date.parse(lastSeenAt) - Date.parse(firstSeenAt));
  const loop =
    isCrashLoop(death) && start && last
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

function observeEnd(end: EndFact, { noticedAt }: ProcessExit): Observation {
  return observeData({ kind: "telemetry", name: "heartbeats" }, end, {
    observed_at: noticedAt,
    fact: { kind: "end", end },
  });
}
