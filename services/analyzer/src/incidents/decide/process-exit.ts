import {
  exitFingerprint,
  type Failure,
  isCrashLoop,
  monitoredEnv,
  type ProcessExit,
  type ProcessExitKind,
  type Severity,
} from "@whence/protocol";
import type { FailureGroup } from "./failure-group.ts";

const severities: Readonly<Record<ProcessExitKind, Severity>> = {
  "out-of-memory": "critical",
  hung: "critical",
  "host-lost": "critical",
  "everything-lost": "critical",
  killed: "high",
};

const titles: Readonly<Record<ProcessExitKind, string>> = {
  "out-of-memory": "stopped without shutting down: likely out of memory",
  hung: "is hung: its main thread is blocked",
  killed: "stopped without shutting down: likely killed",
  "host-lost": "stopped together with their host",
  "everything-lost": "stopped reporting at the same moment",
};

const loopTitles: Readonly<Partial<Record<ProcessExitKind, string>>> = {
  "out-of-memory": "keeps stopping and restarting: likely out of memory",
  hung: "keeps restarting and hanging",
  killed: "keeps stopping and restarting",
};

/**
 * Processes that stopped, as a failure of their services: the same kind of exit of the same services is the same
 * failure. Of a crash loop only the last round counts, because the earlier ones have been decided about.
 */
export function failureOfExit(exit: ProcessExit): FailureGroup {
  const { kind } = exit;
  const isLoop = isCrashLoop(exit);
  const processes = isLoop ? exit.processes.slice(-1) : exit.processes;
  const services = [...new Set(processes.map(({ service }) => service))].toSorted();
  const [first] = processes;
  const last =
    processes
      .map(({ lastSeenAt }) => lastSeenAt)
      .toSorted()
      .at(-1) ?? exit.noticedAt;
  const worst: Failure = {
    // Identifies this exit, so that the same processes are never decided about twice.
    event_id: first?.instance ?? "",
    fingerprint: exitFingerprint(services, isLoop && kind === "killed" ? "killed again and again" : kind),
    service: services.length === 1 ? (services[0] ?? "") : services.join(", ").slice(0, 200),
    env: monitoredEnv,
    release: first?.release ?? "",
    type: "exit",
    level: "critical",
    title: `${services.join(", ").slice(0, 120)} ${(isLoop ? loopTitles[kind] : undefined) ?? titles[kind]}`,
    mechanism: "process-exit",
    handled: false,
    at: last,
  };
  const times = processes.map(({ lastSeenAt }) => Date.parse(lastSeenAt)).toSorted((left, right) => left - right);
  return {
    worst,
    severity: isLoop ? "critical" : severities[kind],
    times,
    release: worst.release,
    traced: false,
    hasFailedCalls: false,
  };
}
