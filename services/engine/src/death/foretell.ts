import {
  type DeathKind,
  type DeathWatch,
  isCrashLoop,
  type Prediction,
  type SilencedProcess,
  type SilentDeath,
} from "@whence/protocol";
import { capital, inlineCode } from "../prose.ts";
import { mostTelling } from "./assess.ts";
import { memoryClimb } from "./memory-climb.ts";
import { processText } from "./observe-death.ts";

type Words = Pick<Prediction, "statement" | "check" | "refuted_by">;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long each kind is watched: who is alive is heard within minutes; processes are restarted within a week. */
const watchedMs: Readonly<Record<DeathWatch["kind"], number>> = {
  "stays-silent": dayMs,
  "heard-again": dayMs,
  "memory-climbs-again": dayMs,
  "dies-again": 7 * dayMs,
};
/** Those that the second candidate, an end of another kind, would not let one expect. */
const tellsApart: ReadonlySet<DeathWatch["kind"]> = new Set(["heard-again", "memory-climbs-again", "dies-again"]);
const rivalRank = 2;
/** "As long as this one" is half as long again at most; who died at once is told from one that lives by some minutes. */
const lifeMargin = 1.5;
const lifeMinMs = 300_000;
const bytesPerMiB = 1_048_576;

/**
 * What must be seen next if the report on a death is right: what only the machine can tell, and what the telemetry will
 * show, which is watched from when the silence was noticed.
 */
export function foretell(
  death: SilentDeath,
  { fingerprint, env }: { readonly fingerprint: string | null; readonly env: string | null },
): Prediction[] {
  const isLoop = isCrashLoop(death);
  const asked: Prediction = {
    ...(isLoop && death.kind === "killed" ? onTheMachineOfLoop : onTheMachine[death.kind]),
    ...{ due: null, outcome: "open" },
  };
  const first = isLoop ? mostTelling(death.processes) : death.processes[0];
  if (!first || fingerprint === null || env === null) return [asked];
  const about = { fingerprint, service: first.service, env, from: death.noticedAt };
  const watched = expectations(death, first, about).map(({ watch, words }) => ({
    ...words,
    // A loop comes round, whatever ends its rounds.
    ...(tellsApart.has(watch.kind) && !(isLoop && watch.kind === "dies-again") ? { tells_apart_from: rivalRank } : {}),
    watch,
    due: new Date(Date.parse(death.noticedAt) + watchedMs[watch.kind]).toISOString(),
    outcome: "open" as const,
  }));
  return [asked, ...watched];
}

interface Expectation {
  readonly watch: DeathWatch;
  readonly words: Words;
}

type About = Pick<DeathWatch, "fingerprint" | "service" | "env" | "from">;

function expectations(death: SilentDeath, first: SilencedProcess, about: About): Expectation[] {
  switch (death.kind) {
    case "out-of-memory":
      return [diesAgain(death, first, about), ...climbsAgain(first, about), staysSilent(first, about)];
    case "hung":
      return [staysStill(first, about)];
    case "killed":
      return isCrashLoop(death) ? [diesAgain(death, first, about)] : [staysSilent(first, about)];
    case "host-lost":
      return [staysSilent(first, about)];
    case "everything-silent":
      return [heardAgain(death, first, about)];
  }
}

function diesAgain({ silentAfterMs }: SilentDeath, first: SilencedProcess, about: About): Expectation {
  const lifeMs = Date.parse(first.lastHeardAt) - Date.parse(first.firstHeardAt);
  const within = Math.max(lifeMinMs, Math.round(lifeMs * lifeMargin));
  const service = inlineCode(first.service);
  return {
    watch: { kind: "dies-again", ...about, within_ms: within, silent_after_ms: silentAfterMs },
    words: {
      statement: `A process of ${service} that is started again dies again within ${durationText(within)}, as long as nothing is changed.`,
      check: `Follow the next process of ${service} from its start.`,
      refuted_by: `One that lives longer than ${durationText(within)}.`,
    },
  };
}

function climbsAgain(first: SilencedProcess, about: About): Expectation[] {
  const climb = memoryClimb(first.readings);
  if (!climb) return [];
  const rate = `${(climb.bytesPerMinute / bytesPerMiB).toFixed(1)} MiB a minute`;
  const service = inlineCode(first.service);
  const bytes_per_minute = Math.round(climb.bytesPerMinute);
  return [
    {
      watch: { kind: "memory-climbs-again", ...about, bytes_per_minute, beats: climb.beats },
      words: {
        statement: `The memory of the processes of ${service} climbs again, by about ${rate} as before this death.`,
        check: `Follow the memory of the next process of ${service} over ${climb.beats} heartbeats.`,
        refuted_by: "Memory that stays level, or climbs less than half as fast.",
      },
    },
  ];
}

function staysSilent(first: SilencedProcess, about: About): Expectation {
  return {
    watch: { kind: "stays-silent", ...about, instance: first.instance },
    words: {
      statement: `No further heartbeat comes from ${processText(first)}: it is gone.`,
      check: "Look for its process number on the machine.",
      refuted_by: "A heartbeat of the same process: it was suspended, or could not be reached.",
    },
  };
}

function staysStill(first: SilencedProcess, about: About): Expectation {
  return {
    watch: { kind: "stays-silent", ...about, instance: first.instance },
    words: {
      statement: `The main thread of ${processText(first)} does not turn again, until the process is ended.`,
      check: "Ask the process for anything, and look whether it uses a core in full.",
      refuted_by: "A heartbeat of its main thread: it was slow work, not an endless one.",
    },
  };
}

function heardAgain({ processes }: SilentDeath, first: SilencedProcess, about: About): Expectation {
  const instances = processes.map(({ instance }) => instance);
  return {
    watch: { kind: "heard-again", ...about, instances },
    words: {
      statement: `${capital(processText(first))} or another of them is heard again, and was alive all the time.`,
      check: "Ask one of them directly; look at egress, DNS and proxies.",
      refuted_by: "Other processes are heard in their place: these are gone.",
    },
  };
}

/** Such as `45 min`. */
function durationText(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.max(1, Math.round(ms / 60_000))} min`;
  return ms < 2 * dayMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / dayMs)} days`;
}

const onTheMachineOfLoop: Words = {
  statement: "The machine counts the starts, and every round ended with the same exit code, which is not 0.",
  check:
    "`kubectl get pod` (`RESTARTS`, `CrashLoopBackOff`), `docker inspect --format '{{.RestartCount}} {{.State.ExitCode}}' <container>`, `systemctl status <unit>`.",
  refuted_by: "No restarts: somebody starts a job on purpose, and it ends without closing its client.",
};

/** What a person finds who asks the machine. */
const onTheMachine: Readonly<Record<DeathKind, Words>> = {
  "out-of-memory": {
    statement:
      'The machine recorded an end by memory: exit code 137 with `OOMKilled`, or 134 with V8\'s "heap out of memory".',
    check: "`kubectl describe pod`, `docker inspect`, `dmesg -T`, or the last lines of the process's output.",
    refuted_by: "Another exit code, or an orderly stop in the orchestrator's events.",
  },
  killed: {
    statement: "The machine recorded an end by signal: exit code 137 (SIGKILL) or 143 (SIGTERM), without `OOMKilled`.",
    check: "`kubectl describe pod` and the orchestrator's events around the time it was heard last.",
    refuted_by: "`OOMKilled`, exit code 134, or a process that still runs.",
  },
  hung: {
    statement: "The process is there, uses one core in full and answers nothing; or a liveness probe had it replaced.",
    check: "`top -H -p <pid>`, or probe failures in the orchestrator's events.",
    refuted_by: "A process that is idle, or that was gone before.",
  },
  "host-lost": {
    statement: "The machine is gone, was restarted, or cannot be reached.",
    check: "`kubectl get nodes`, or the provider's console.",
    refuted_by: "A machine that has been up all along.",
  },
  "everything-silent": {
    statement: "The processes still serve, and are heard again once the way is repaired.",
    check: "Ask one of them directly; look at egress, DNS and proxies.",
    refuted_by: "Processes that are gone.",
  },
};
