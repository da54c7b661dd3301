import { type Category, isCrashLoop, type ProcessExit, type ProcessExitKind } from "@whence/protocol";
import type { Findings, Observation, ParsedError } from "../findings.ts";
import type { InvestigationSubject } from "../investigation-subject.ts";
import type { Collected } from "../observe/collect.ts";
import { observeData } from "../observe.ts";
import type { Candidate, Ranking } from "../rank/candidate.ts";
import type { EndFact } from "../telemetry-facts.ts";
import { assessEnd, mostTelling, type PossibleEnd } from "./assess.ts";
import { type ObservedProcess, observeProcess } from "./observe-exit.ts";

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
): FoundDeath {
  const observed = death.processes.map((process) => observeProcess(process, death));
  const telling = isCrashLoop(death) ? mostTelling(death.processes) : death.processes[0];
  const first = observed.find(({ process }) => process === telling);
  if (!first) throw new TypeError("a silent death names at least one process");
  const { readings, activities, stack } = first;
  const candidates = candidatesOf(death, observed, first);
  const [winner, second] = candidates;
  const score = Math.min(scoreMax, Math.max(scoreMin, death.confidence));
  const isTie = winner !== undefined && second !== undefined && winner.probability - second.probability <= tiePoints;
  return {
    findings: {
      ...{ incident, observedAt: death.noticedAt, error: noError, event: null, files: [], frames: [], clues: [] },
      observations: [
        ...observed.map(({ silence }) => silence),
        ...readings,
        ...activities,
        ...(stack ? [stack] : []),
        ...collected.observations,
      ],
      signatures: [],
      notChecked: collected.notChecked,
      death,
    },
    ranking: {
      candidates,
      confidence: { score, modelScore: score, judged: 0, confirmed: 0, isTie, isContested: false, about: "service" },
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

/** What several processes have in common is the cause; else each way to end, the most likely first. */
function candidatesOf(death: ProcessExit, observed: readonly ObservedProcess[], first: ObservedProcess): Candidate[] {
  const silences = (isCrashLoop(death) ? observed : [first]).map(({ silence }) => silence);
  const ends = assessEnd(first.process).map((end) => ofEnd(end, death, first, silences));
  if (death.kind !== "host-lost" && death.kind !== "everything-silent") return ends;
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
  return [shared, ...ends];
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
