import {
  exitFingerprint,
  type Failure,
  type IncidentThresholds,
  isCrashLoop,
  type ProcessExit,
  type ProcessExitKind,
  type Severity,
} from "@whence/protocol";
import type { DecidedFailure, KnownFailure, Occurrences } from "@whence/storage";
import { decideOccurrences, monitoredEnv } from "./decide.ts";
import type { FailureGroup } from "./failure-group.ts";
import { remember } from "./remember.ts";

const severities: Readonly<Record<ProcessExitKind, Severity>> = {
  "out-of-memory": "critical",
  hung: "critical",
  "host-lost": "critical",
  "everything-silent": "critical",
  killed: "high",
};

const titles: Readonly<Record<ProcessExitKind, string>> = {
  "out-of-memory": "fell silent: likely out of memory",
  hung: "is hung: its main thread does not turn",
  killed: "fell silent: likely killed",
  "host-lost": "fell silent with the machine they ran on",
  "everything-silent": "fell silent at the same moment",
};

const loopTitles: Readonly<Partial<Record<ProcessExitKind, string>>> = {
  "out-of-memory": "is started again and again, and falls silent each time: likely out of memory",
  hung: "is started again and again, and hangs each time",
  killed: "is started again and again, and falls silent each time",
};

const minuteMs = 60_000;

/**
 * Processes that fell silent, as a failure of their services: the same end of the same services joins. Of a loop only the
 * last round counts: those before were decided about.
 */
export function failureOfExit(death: ProcessExit): FailureGroup {
  const { kind } = death;
  const isLoop = isCrashLoop(death);
  const processes = isLoop ? death.processes.slice(-1) : death.processes;
  const services = [...new Set(processes.map(({ service }) => service))].toSorted();
  const [first] = processes;
  const last =
    processes
      .map(({ lastHeardAt }) => lastHeardAt)
      .toSorted()
      .at(-1) ?? death.noticedAt;
  const worst: Failure = {
    // Names this death: the same processes are never decided about twice.
    event_id: first?.instance ?? "",
    fingerprint: exitFingerprint(services, isLoop && kind === "killed" ? "killed again and again" : kind),
    service: services.length === 1 ? (services[0] ?? "") : services.join(", ").slice(0, 200),
    env: monitoredEnv,
    release: first?.release ?? "",
    type: "exit",
    level: "critical",
    title: `${services.join(", ").slice(0, 120)} ${(isLoop ? loopTitles[kind] : undefined) ?? titles[kind]}`,
    mechanism: "silence",
    handled: false,
    at: last,
  };
  const times = processes.map(({ lastHeardAt }) => Date.parse(lastHeardAt)).toSorted((left, right) => left - right);
  return {
    worst,
    severity: isLoop ? "critical" : severities[kind],
    times,
    release: worst.release,
    traced: false,
    hasFailedCalls: false,
  };
}

/** As a failure's occurrences are stored. */
export function occurrencesOfExit({ worst, times }: FailureGroup, now: Date): Occurrences {
  const at = (ms: number | undefined): string => new Date(ms ?? Date.parse(worst.at)).toISOString();
  return {
    ...{ fingerprint: worst.fingerprint, service: worst.service, env: worst.env, eventId: worst.event_id },
    ...{ events: times.length, firstAt: at(times[0]), lastAt: at(times.at(-1)), now },
  };
}

/** What becomes of a death: as of any failure, by the thresholds of the organization. */
export function decideExit(
  death: ProcessExit,
  group: FailureGroup,
  known: KnownFailure | null,
  thresholds: IncidentThresholds,
  now: Date,
): DecidedFailure {
  return decideOccurrences(group, known, thresholds, now, {
    trigger: { kind: "silence", death: death.kind, instances: death.processes.map(({ instance }) => instance) },
    input: { kind: "death", death },
  });
}

/** A death that opens nothing, for a reason of its own. */
export function skipExit(
  group: FailureGroup,
  known: KnownFailure | null,
  thresholds: IncidentThresholds,
  decision: { readonly rule: string; readonly reason: string },
): DecidedFailure {
  const history = remember(known, group, thresholds.window_minutes * minuteMs);
  return { title: group.worst.title, history, decision: { outcome: "skipped", ...decision } };
}
