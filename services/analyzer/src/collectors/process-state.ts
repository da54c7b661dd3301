import type { Collector, Observation, ProcessState } from "@whence/engine";
import { observeData } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { InstanceLife, InstanceVitals, MemoryVitals, ScopedEvents } from "@whence/storage";
import { exitAfterMs } from "../releases/returned-release.ts";
import type { AnnouncedReadsOf } from "./announced.ts";
import { type Failing, failingOf } from "./failing-services.ts";
import { busyDeadlineMs, type ReadsOf, spanBefore } from "./shared-reads.ts";
import { cpuSeverity, eventLoopSeverity, memorySign, poolSeverity } from "./vital-signs.ts";

const windowMs = 60 * minuteMs;
/**
 * A process that started this shortly before, where another had run, was restarted: for new settings, or because it
 * ended.
 */
const restartMs = 10 * minuteMs;
const processesMax = 200;
const shownMax = 5;

/**
 * Collects the state of the failing service's processes, and of those it called without success, before the failure:
 * memory that climbed toward its limit, a blocked event loop, a full pool of connections, processors at their limit,
 * heartbeats that stopped without a shutdown, a process restarted minutes before.
 */
export function processState(events: ScopedEvents, reads: ReadsOf, announcedReads: AnnouncedReadsOf): Collector {
  const name = "state of the processes";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const failing = await failingOf(findings, reads, announcedReads);
      if (!failing) return [];
      const { service: own, callees } = failing;
      const services = [own, ...callees];
      const span = spanBefore(failing, windowMs);
      const [vitals, ...lives] = await Promise.all([
        events.vitals({ ...span, services, limit: processesMax }),
        ...services.map((service) =>
          events.lives({ env: failing.env, since: span.from, service, limit: processesMax }),
        ),
      ]);
      const states = [
        ...vitals.flatMap((one) => vitalStates(one, failing)),
        ...exits(vitals, lives.flat(), failing),
        ...restarts(lives.flat(), failing),
      ];
      return states
        .toSorted((left, right) => right.state.severity - left.state.severity)
        .slice(0, shownMax)
        .map((state) => observe(state, name));
    },
  };
}

interface Seen {
  readonly state: ProcessState;
  readonly at: string;
  readonly data: object;
}

/** Returns the process that failed, or any of another service, since which one was called isn't known. */
function vitalStates(vitals: InstanceVitals, failing: Failing): Seen[] {
  const { service, instance, host } = vitals;
  const own = service === failing.service;
  if (own && failing.instance !== null && instance !== failing.instance) return [];
  const { memory, loopDelayMax: delayMs, pool, cpu } = vitals;
  const process = { service, instance, host, own };
  const sign = memorySign(memory);
  const severity = eventLoopSeverity(vitals);
  const [poolAt, cpuAt] = [poolSeverity(pool), cpuSeverity(cpu)];
  const states: ProcessState[] = [
    ...(memory && sign ? [{ ...process, ...sign, ...courseOf(memory) }] : []),
    ...(severity === null ? [] : [{ ...process, severity, resource: "event-loop" as const, delayMs }]),
    ...(pool && poolAt !== null ? [{ ...process, severity: poolAt, resource: "pool" as const, pool }] : []),
    ...(cpu && cpuAt !== null
      ? [{ ...process, severity: cpuAt, resource: "cpu" as const, share: cpu.last, usual: cpu.median }]
      : []),
  ];
  return states.map((state) => ({ state, at: vitals.lastAt, data: { vitals } }));
}

function courseOf({ of, since, firstBytes, lastBytes, limitBytes }: MemoryVitals) {
  return { resource: "memory" as const, of, since, fromBytes: firstBytes, toBytes: lastBytes, limitBytes };
}

/**
 * Returns processes that had stopped sending heartbeats when it failed, without shutting down. One that reported its
 * failure hadn't.
 */
function exits(vitals: readonly InstanceVitals[], lives: readonly InstanceLife[], failing: Failing): Seen[] {
  const failedAt = Date.parse(failing.at);
  return vitals.flatMap((one) => {
    const life = lives.find(({ instance, service }) => instance === one.instance && service === one.service);
    const quietMs = failedAt - Date.parse(life?.lastAt ?? one.lastAt);
    const own = one.service === failing.service;
    const isReporting = own && failing.instance !== null;
    if (isReporting || life?.ended !== false || quietMs < exitAfterMs) return [];
    const alive = lives.filter(
      ({ service, lastAt }) => service === one.service && Date.parse(lastAt) > failedAt - exitAfterMs,
    );
    const state: ProcessState = {
      service: one.service,
      instance: one.instance,
      host: one.host,
      resource: "exit",
      own,
      severity: alive.length === 0 ? 1 : 0.5,
      lastAt: life.lastAt,
      othersReporting: alive.length,
    };
    return [{ state, at: life.lastAt, data: { vitals: one, life } }];
  });
}

function restarts(lives: readonly InstanceLife[], failing: Failing): Seen[] {
  const failedAt = Date.parse(failing.at);
  return lives.flatMap((life) => {
    const age = failedAt - Date.parse(life.firstAt);
    if (age < 0 || age > restartMs) return [];
    const previous = lives.find(
      (other) =>
        other.service === life.service &&
        other.host === life.host &&
        other.instance !== life.instance &&
        Date.parse(other.lastAt) <= Date.parse(life.firstAt) &&
        Date.parse(life.firstAt) - Date.parse(other.lastAt) <= restartMs,
    );
    if (!previous) return [];
    const own = life.service === failing.service;
    const state: ProcessState = {
      service: life.service,
      instance: life.instance,
      host: life.host,
      resource: "restart",
      own,
      severity: 0.4,
      at: life.firstAt,
      previous: { lastAt: previous.lastAt, shutDownCleanly: previous.ended },
    };
    return [{ state, at: life.firstAt, data: { life, previous } }];
  });
}

function observe({ state, at, data }: Seen, name: string): Observation {
  return observeData(
    { kind: "telemetry", name },
    { ...state, ...data },
    { observed_at: at, fact: { kind: "process-state", state } },
  );
}
