import {
  dayMs,
  type ExitedProcess,
  type ExitPrediction,
  isCrashLoop,
  type Prediction,
  type ProcessExit,
} from "@whence/protocol";
import { tellingProcess } from "../../process-exit/assess.ts";
import { memoryClimb } from "../../process-exit/memory-climb.ts";
import { capital } from "../../words/prose.ts";
import type { ReportInput } from "../report-input.ts";
import { partOf } from "../words.ts";
import { watchWords } from "./words.ts";

/** How long each kind is watched: live processes report within minutes; processes are restarted within a week. */
const watchedMs: Readonly<Record<ExitPrediction["kind"], number>> = {
  "stays-down": dayMs,
  "heard-again": dayMs,
  "memory-climbs-again": dayMs,
  "exits-again": 7 * dayMs,
};
/** Kinds that the second candidate, a different kind of exit, doesn't predict. */
const discriminating: ReadonlySet<ExitPrediction["kind"]> = new Set([
  "heard-again",
  "memory-climbs-again",
  "exits-again",
]);
const rivalRank = 2;
/**
 * "As long as this one" allows for half as long again, so that a start that fails at once differs from one that runs
 * for minutes.
 */
const lifeMargin = 1.5;
const lifeMinMs = 300_000;

/**
 * Returns what should be seen next: what only the machine knows, and what telemetry shows after the exit was noticed.
 */
export function predictExit(exit: ProcessExit, input: ReportInput): Prediction[] {
  const { fingerprint, env } = input.findings.incident;
  const isLoop = isCrashLoop(exit);
  const asked = onTheMachine(input);
  const first = tellingProcess(exit);
  if (!first || fingerprint === null || env === null) return asked;
  const about = { fingerprint, service: first.service, env, from: exit.noticedAt };
  const watched = expectations(exit, first, about).map((watch) => ({
    ...watchWords(watch, input.messages),
    // A loop continues, whatever ends its runs.
    ...(discriminating.has(watch.kind) && !(isLoop && watch.kind === "exits-again")
      ? { tells_apart_from: rivalRank }
      : {}),
    watch,
    due: new Date(Date.parse(exit.noticedAt) + watchedMs[watch.kind]).toISOString(),
    outcome: "open" as const,
  }));
  return [...asked, ...watched];
}

function onTheMachine({ candidates, messages }: ReportInput): Prediction[] {
  const exitLink = candidates[0]?.chain.find(({ kind }) => kind === "exit");
  if (!exitLink) return [];
  const [seen, otherwise] = [partOf(exitLink, "confirmedBy", messages), partOf(exitLink, "ruledOutBy", messages)];
  if (seen === null || otherwise === null) return [];
  return [{ ...messages.checks.machine(seen, capital(otherwise)), due: null, outcome: "open" }];
}

type About = Pick<ExitPrediction, "fingerprint" | "service" | "env" | "from">;

function expectations(exit: ProcessExit, first: ExitedProcess, about: About): ExitPrediction[] {
  const staysDown: ExitPrediction = { kind: "stays-down", ...about, instance: first.instance };
  switch (exit.kind) {
    case "out-of-memory":
      return [exitsAgain(exit, first, about), ...climbsAgain(first, about), staysDown];
    case "killed":
      return isCrashLoop(exit) ? [exitsAgain(exit, first, about)] : [staysDown];
    case "hung":
    case "host-lost":
      return [staysDown];
    case "everything-lost":
      return [{ kind: "heard-again", ...about, instances: exit.processes.map(({ instance }) => instance) }];
  }
}

function exitsAgain({ exitAfterMs }: ProcessExit, first: ExitedProcess, about: About): ExitPrediction {
  const lifeMs = Date.parse(first.lastSeenAt) - Date.parse(first.firstSeenAt);
  const within = Math.max(lifeMinMs, Math.round(lifeMs * lifeMargin));
  return { kind: "exits-again", ...about, within_ms: within, exit_after_ms: exitAfterMs };
}

function climbsAgain(first: ExitedProcess, about: About): ExitPrediction[] {
  const climb = memoryClimb(first.readings);
  if (!climb) return [];
  const bytes_per_minute = Math.round(climb.bytesPerMinute);
  return [{ kind: "memory-climbs-again", ...about, bytes_per_minute, beats: climb.beats }];
}
