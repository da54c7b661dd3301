import {
  type ExitPrediction,
  hourMs,
  isCrashLoop,
  type Prediction,
  type ProcessExit,
  type SilencedProcess,
} from "@whence/protocol";
import { mostTelling } from "../../process-exit/assess.ts";
import { memoryClimb } from "../../process-exit/memory-climb.ts";
import { capital } from "../../words/prose.ts";
import type { ReportInput } from "../report-input.ts";
import { partOf } from "../words.ts";
import { watchWords } from "./words.ts";

const dayMs = 24 * hourMs;

/** How long each kind is watched: living processes report within minutes; processes are restarted within a week. */
const watchedMs: Readonly<Record<ExitPrediction["kind"], number>> = {
  "stays-silent": dayMs,
  "heard-again": dayMs,
  "memory-climbs-again": dayMs,
  "dies-again": 7 * dayMs,
};
/** Those that the second candidate, an end of another kind, doesn't predict. */
const discriminating: ReadonlySet<ExitPrediction["kind"]> = new Set([
  "heard-again",
  "memory-climbs-again",
  "dies-again",
]);
const rivalRank = 2;
/** "As long as this one" allows half as long again, so a start that fails at once differs from one that runs for minutes. */
const lifeMargin = 1.5;
const lifeMinMs = 300_000;

/** What must be seen next: what only the machine knows, and what the telemetry shows from when the silence was noticed. */
export function predictExit(death: ProcessExit, input: ReportInput): Prediction[] {
  const { fingerprint, env } = input.findings.incident;
  const isLoop = isCrashLoop(death);
  const asked = onTheMachine(input);
  const first = isLoop ? mostTelling(death.processes) : death.processes[0];
  if (!first || fingerprint === null || env === null) return asked;
  const about = { fingerprint, service: first.service, env, from: death.noticedAt };
  const watched = expectations(death, first, about).map((watch) => ({
    ...watchWords(watch, input.messages),
    // A loop continues, whatever ends its rounds.
    ...(discriminating.has(watch.kind) && !(isLoop && watch.kind === "dies-again")
      ? { tells_apart_from: rivalRank }
      : {}),
    watch,
    due: new Date(Date.parse(death.noticedAt) + watchedMs[watch.kind]).toISOString(),
    outcome: "open" as const,
  }));
  return [...asked, ...watched];
}

function onTheMachine({ candidates, messages }: ReportInput): Prediction[] {
  const end = candidates[0]?.chain.find(({ kind }) => kind === "end");
  if (!end) return [];
  const [seen, otherwise] = [partOf(end, "confirmedBy", messages), partOf(end, "ruledOutBy", messages)];
  if (seen === null || otherwise === null) return [];
  return [{ ...messages.checks.machine(seen, capital(otherwise)), due: null, outcome: "open" }];
}

type About = Pick<ExitPrediction, "fingerprint" | "service" | "env" | "from">;

function expectations(death: ProcessExit, first: SilencedProcess, about: About): ExitPrediction[] {
  const silent: ExitPrediction = { kind: "stays-silent", ...about, instance: first.instance };
  switch (death.kind) {
    case "out-of-memory":
      return [diesAgain(death, first, about), ...climbsAgain(first, about), silent];
    case "killed":
      return isCrashLoop(death) ? [diesAgain(death, first, about)] : [silent];
    case "hung":
    case "host-lost":
      return [silent];
    case "everything-silent":
      return [{ kind: "heard-again", ...about, instances: death.processes.map(({ instance }) => instance) }];
  }
}

function diesAgain({ silentAfterMs }: ProcessExit, first: SilencedProcess, about: About): ExitPrediction {
  const lifeMs = Date.parse(first.lastSeenAt) - Date.parse(first.firstSeenAt);
  const within = Math.max(lifeMinMs, Math.round(lifeMs * lifeMargin));
  return { kind: "dies-again", ...about, within_ms: within, silent_after_ms: silentAfterMs };
}

function climbsAgain(first: SilencedProcess, about: About): ExitPrediction[] {
  const climb = memoryClimb(first.readings);
  if (!climb) return [];
  const bytes_per_minute = Math.round(climb.bytesPerMinute);
  return [{ kind: "memory-climbs-again", ...about, bytes_per_minute, beats: climb.beats }];
}
