import { type MonitorMetric, minuteMs, monitoredEnv, secondMs, type ThresholdCheck } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { listeningSince } from "../process-exits/listening.ts";
import { type CheckContext, type MonitorKind, type MonitorOf, resultOf } from "./monitor-kind.ts";

/** How often it is checked. */
const everyMs = minuteMs;
/** A process without a heartbeat for this long has stopped: two of them, and half a minute for delivery. */
const silentMs = 150 * secondMs;
const processesMax = 1_000;
const bytesPerMegabyte = 1_000_000;
const percent = 100;

/** Compares a measure of a service with a value. */
export const threshold: MonitorKind<ThresholdCheck> = {
  label: "Threshold",
  subject: ({ service }) => service ?? "",
  begin: (_, now) => ({ nextCheckAt: now }),
  async check(monitor, context) {
    const now = context.clock();
    const nextCheckAt = now + everyMs;
    const { metric, window_minutes: minutes } = monitor.check;
    const from = now - minutes * minuteMs;
    if (!(await isListening(context, now))) {
      return { result: resultOf(now, "not-checked", "telemetry doesn't arrive, or arrives late"), nextCheckAt };
    }
    const events = context.events.forScope(monitor.scopeId);
    const window = { env: monitor.env ?? monitoredEnv, from: iso(from), to: iso(now), service: monitor.service ?? "" };
    const value = await measures[metric].read(events, window, now);
    if (value === null) {
      return { result: resultOf(now, "not-checked", measures[metric].unknown), nextCheckAt };
    }
    return { result: compared(monitor, value, now), nextCheckAt };
  },
};

interface Window {
  readonly env: string;
  readonly service: string;
  readonly from: string;
  readonly to: string;
}

interface Measure {
  /** Null when nothing is known. */
  read(events: ScopedEvents, window: Window, now: number): Promise<number | null>;
  /** The value in words, after the name of the service. */
  said(value: string): string;
  /** Why nothing is known. */
  readonly unknown: string;
}

const measures: Readonly<Record<MonitorMetric, Measure>> = {
  failures: {
    async read(events, window) {
      const activity = await events.activity({ ...window, fingerprint: "" });
      if (activity.length === 0 && !(await hasTelemetry(events, window))) return null;
      const failures = activity.reduce((sum, { otherFailures }) => sum + otherFailures, 0);
      return (failures * minuteMs) / (Date.parse(window.to) - Date.parse(window.from));
    },
    said: (value) => `had ${value} failures a minute`,
    unknown: "no telemetry",
  },
  "failed-requests": {
    async read(events, window) {
      const answers = await events.answers(window);
      const requests = answers.reduce((sum, one) => sum + one.requests, 0);
      const failed = answers.reduce((sum, one) => sum + one.failed, 0);
      return requests === 0 ? null : (percent * failed) / requests;
    },
    said: (value) => `failed ${value}% of its requests`,
    unknown: "the service reported no requests",
  },
  memory: {
    async read(events, window, now) {
      const memory = (await vitals(events, window, now)).flatMap((one) => one.memory?.lastBytes ?? []);
      return memory.length === 0 ? null : Math.max(...memory) / bytesPerMegabyte;
    },
    said: (value) => `used ${value} MB of memory in its largest process`,
    unknown: "no process reported its memory",
  },
  "event-loop-delay": {
    async read(events, window, now) {
      // Stored as 0 where a client reports none, as Python's does.
      const delays = (await vitals(events, window, now)).flatMap(({ loopDelayMax: ms }) => (ms > 0 ? [ms] : []));
      return delays.length === 0 ? null : Math.max(...delays);
    },
    said: (value) => `had its event loop delayed by up to ${value} ms`,
    unknown: "no process reported a delay of its event loop",
  },
  processes: {
    async read(events, window, now) {
      const filter = { env: window.env, service: window.service, since: iso(now - silentMs), limit: processesMax };
      return (await events.lives(filter)).filter(({ ended }) => !ended).length;
    },
    said: (value) => `runs in ${value} ${value === "1" ? "process" : "processes"}`,
    unknown: "no telemetry",
  },
};

/** Whether a process of the service sent anything in the window. */
async function hasTelemetry(events: ScopedEvents, { env, service, from }: Window): Promise<boolean> {
  return (await events.lives({ env, service, since: from, limit: 1 })).length > 0;
}

/** Returns the heartbeats of the processes that still send them. */
async function vitals(events: ScopedEvents, { service, ...span }: Window, now: number) {
  const found = await events.vitals({ ...span, services: [service], limit: processesMax });
  return found.filter(({ lastAt }) => now - Date.parse(lastAt) <= silentMs);
}

/** Compares with the value at which it recovers while it alerts, and with the one that alerts otherwise. */
function compared({ check, progress }: MonitorOf<ThresholdCheck>, value: number, now: number) {
  const { metric, condition, window_minutes: minutes } = check;
  const isAlerting = progress.alert !== null;
  const limit = isAlerting ? (check.recovery ?? check.value) : check.value;
  const isBeyond = condition === "above" ? value > limit : value < limit;
  const within = minutes === 1 ? "the last minute" : `the last ${minutes} minutes`;
  const span = metric === "processes" ? "" : ` in ${within}`;
  const than = condition === "above" ? "more than" : "less than";
  const bound = isBeyond ? `, ${than} ${figure(limit)}` : "";
  const reason = `${measures[metric].said(figure(value))}${span}${bound}`;
  return resultOf(now, isBeyond ? "failed" : "passed", reason, { value });
}

/** Whether telemetry arrives, and has for long enough that its absence says something. */
async function isListening(context: CheckContext, now: number): Promise<boolean> {
  const since = await listeningSince(context, now);
  return since !== null && now - since >= silentMs;
}

/** Returns a number with two digits after the point at most. */
function figure(value: number): string {
  return String(Math.round(value * percent) / percent);
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
