import {
  dayMs,
  monitoredEnv,
  type ServiceDetail,
  type ServiceRelease,
  type ServiceSpanName,
  secondMs,
  serviceSpans,
} from "@whence/protocol";
import type {
  CourseStep,
  IncidentScope,
  ReleaseCount,
  ReleaseScope,
  ScopedEvents,
  ServiceEnv,
  ServiceSpan,
  SessionCount,
} from "@whence/storage";
import { type KnownRelease, knownReleases } from "../../releases/known-releases.ts";
import { serviceDeploys } from "../../releases/service-deploys.ts";
import { countRestarts, serviceProcesses } from "./service-processes.ts";

const processesShown = 200;
const incidentsShown = 20;
const releasesShown = 50;

/** A question about a service. */
export interface ServiceQuestion {
  readonly service: string;
  /** Undefined: the monitored one if it reports there, otherwise the one that it reported in last. */
  readonly env?: string | undefined;
  readonly span: ServiceSpanName;
  readonly retentionDays: number;
  readonly now: number;
}

/** Returns how a service did; null when no telemetry of it is kept in that environment. */
export async function readService(
  events: ScopedEvents,
  control: ReleaseScope & IncidentScope,
  question: ServiceQuestion,
): Promise<ServiceDetail | null> {
  const { service, now, retentionDays } = question;
  const envs = await events.serviceEnvs(service);
  const seen = chosenEnv(envs, question.env);
  if (seen === undefined) return null;
  const { env } = seen;
  const { from, to, stepMs } = stepsOf(question);
  const span = { service, env, from, to };
  const [course, counts, sessions, lives, runs, deploys, calls, incidents] = await Promise.all([
    events.serviceCourse({ ...span, stepSeconds: stepMs / secondMs }),
    events.releaseCounts(span),
    events.sessionCounts(span),
    events.lives({ service, env, since: from, limit: processesShown + 1 }),
    knownReleases(events, control.releases, { service, env, since: from }),
    serviceDeploys(events, control.releases, span),
    events.calledHosts(span),
    openIncidents(control, span, now),
  ]);
  const listed = lives.slice(0, processesShown);
  const crashes = await events.crashes({ ...span, instances: listed.map(({ instance }) => instance) });
  const processes = serviceProcesses(listed, crashes, now);
  const live = processes.filter(({ state }) => state === "live").map(({ release }) => release);
  return {
    service,
    env,
    envs: envs.map((one) => one.env),
    last_seen_at: seen.lastSeenAt,
    from,
    to,
    step_seconds: stepMs / secondMs,
    retention_days: retentionDays,
    failures: course.reduce((sum, { failures }) => sum + failures, 0),
    ...answersOf(course),
    ...sessionsOf(sessions.counts),
    sessions_from: sessions.counts.length > 0 ? sessions.from : null,
    session_hours: sessionHours(sessions.counts),
    course: courseOf(course),
    deploys: [...deploys],
    restarts: countRestarts(processes, from),
    processes,
    has_more_processes: lives.length > processesShown,
    releases: comparedReleases({ counts, sessions: sessions.counts }, runs, live),
    calls: calls.map(({ medianMs, slowMs, ...call }) => ({ ...call, median_ms: medianMs, slow_ms: slowMs })),
    incidents,
  };
}

function chosenEnv(envs: readonly ServiceEnv[], asked: string | undefined): ServiceEnv | undefined {
  if (asked !== undefined) return envs.find(({ env }) => env === asked);
  return envs.find(({ env }) => env === monitoredEnv) ?? envs[0];
}

/** The span in whole steps, the current one included; not further back than telemetry is kept. */
function stepsOf({ span, now, retentionDays }: ServiceQuestion): { from: string; to: string; stepMs: number } {
  const { ms, stepMs } = serviceSpans[span];
  const to = (Math.floor(now / stepMs) + 1) * stepMs;
  const kept = Math.ceil((now - retentionDays * dayMs) / stepMs) * stepMs;
  return { from: new Date(Math.max(to - ms, kept)).toISOString(), to: new Date(to).toISOString(), stepMs };
}

type Answers = Pick<ServiceDetail, "requests" | "failed_requests">;

/** The requests of some steps; null when none of them has any, since they may not be counted. */
function answersOf(steps: readonly Pick<CourseStep, "requests" | "failed">[]): Answers {
  const requests = steps.reduce((sum, step) => sum + step.requests, 0);
  if (requests === 0) return { requests: null, failed_requests: null };
  return { requests, failed_requests: steps.reduce((sum, step) => sum + step.failed, 0) };
}

function courseOf(course: readonly CourseStep[]): ServiceDetail["course"] {
  const areCounted = answersOf(course).requests !== null;
  return course.map(({ at, failures, requests, failed, processes, memoryBytes, loopDelayMs }) => ({
    at,
    failures,
    processes,
    requests: areCounted ? requests : null,
    failed_requests: areCounted ? failed : null,
    memory_bytes: memoryBytes > 0 ? memoryBytes : null,
    event_loop_delay_ms: loopDelayMs > 0 ? loopDelayMs : null,
  }));
}

type Sessions = Pick<ServiceDetail, "sessions" | "crashed_sessions" | "unhandled_sessions">;

/** Null when there are none, since its clients may not report them. */
function sessionsOf(counts: readonly SessionCount[]): Sessions {
  if (counts.length === 0) return { sessions: null, crashed_sessions: null, unhandled_sessions: null };
  const { sessions, crashed, unhandled } = summed(counts);
  return { sessions, crashed_sessions: crashed, unhandled_sessions: unhandled };
}

/** A sketch of all may count less than those of the ones that failed. */
function summed(counts: readonly SessionCount[]): Pick<SessionCount, "sessions" | "crashed" | "unhandled"> {
  const sessions = counts.reduce((sum, one) => sum + one.sessions, 0);
  const crashed = Math.min(
    counts.reduce((sum, one) => sum + one.crashed, 0),
    sessions,
  );
  const unhandled = counts.reduce((sum, one) => sum + one.unhandled, 0);
  return { sessions, crashed, unhandled: Math.min(unhandled, sessions - crashed) };
}

function sessionHours(counts: readonly SessionCount[]): ServiceDetail["session_hours"] {
  return [...Map.groupBy(counts, ({ hour }) => hour)].map(([hour, ofHour]) => ({ hour, ...summed(ofHour) }));
}

/** What was counted by release. */
interface ByRelease {
  readonly counts: readonly ReleaseCount[];
  readonly sessions: readonly SessionCount[];
}

/** What each release failed, beside since when it runs and how many of its processes are live; the latest first. */
function comparedReleases(
  { counts, sessions }: ByRelease,
  runs: readonly KnownRelease[],
  live: readonly (string | null)[],
): ServiceRelease[] {
  const since = new Map(runs.map(({ release, firstAt }) => [release, firstAt]));
  const sessionsByRelease = Map.groupBy(sessions, ({ release }) => release);
  const counted = new Set(counts.map(({ release }) => release));
  // Anyone who has a page's key can invent releases with sessions: those of processes come first, then the most used.
  const rankOf = ([release, ofRelease]: readonly [string, readonly SessionCount[]]): number =>
    since.has(release) ? Number.MAX_SAFE_INTEGER : summed(ofRelease).sessions;
  const unfailing = [...sessionsByRelease]
    .filter(([release]) => !counted.has(release))
    .toSorted((left, right) => rankOf(right) - rankOf(left))
    .map(([release]) => release);
  const all = [...counts, ...unfailing.map((release) => ({ release, failures: 0, requests: 0, failed: 0 }))];
  const releases = all.slice(0, releasesShown).map(({ release, failures, ...answers }) => ({
    release: release || null,
    since: since.get(release) ?? null,
    live_processes: live.filter((one) => one === (release || null)).length,
    failures,
    ...answersOf([answers]),
    ...sessionsOf(sessionsByRelease.get(release) ?? []),
  }));
  return releases.toSorted((left, right) => startOf(right) - startOf(left));
}

function startOf({ since }: ServiceRelease): number {
  return since === null ? 0 : Date.parse(since);
}

async function openIncidents(
  { incidents }: IncidentScope,
  { service, env }: ServiceSpan,
  now: number,
): Promise<ServiceDetail["incidents"]> {
  const state = { is: "open", at: new Date(now).toISOString() } as const;
  const found = await incidents.list({ service, env, state, limit: incidentsShown });
  return found.map(({ id, title, severity, created_at, occurrences }) => ({
    id,
    title,
    severity,
    created_at,
    ...(occurrences && { occurrences }),
  }));
}
