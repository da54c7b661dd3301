import { hash, randomUUID } from "node:crypto";
import { type BatchHeader, limits, type SentryProject } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { cutText } from "../mapping/bounded-data.ts";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import { type KeptSessions, writeBatchMessage } from "../telemetry/batch-message.ts";
import { headerOf } from "../telemetry/batch-messages.ts";
import { envOf } from "./env-of.ts";
import { parseJson } from "./envelope.ts";
import { timeOf } from "./event-times.ts";
import { sentryLimits } from "./sentry-limits.ts";
import {
  type SentrySession,
  type SentrySessions,
  sentrySessionSchema,
  sentrySessionsSchema,
} from "./session-schema.ts";

/** Sessions that an item reports, and whose they are. */
export interface ReportedSessions {
  readonly release: string;
  readonly environment: string;
  readonly sessions: readonly KeptSessions[];
}

/**
 * Names what an envelope reports, so that it's the same when it comes again, and another process's isn't. An item of a
 * server names no process, and its minutes and counts can be another's, too: what tells them apart is the moment of
 * sending. Without one, or with one in whole seconds, each envelope is on its own.
 */
export function nameOfReport(sentAt: string | undefined): string {
  return sentAt !== undefined && /:\d\d\.\d{3}/.test(sentAt) ? sentAt : randomUUID();
}

/** Reads a `session` or a `sessions` item of a {@link nameOfReport report}; undefined for an invalid one. */
export function readSessions(type: string, payload: Buffer, report: string): ReportedSessions | undefined {
  if (payload.length > sentryLimits.itemBytesMax) return undefined;
  const value = parseJson(payload);
  if (type === "session") {
    const session = sentrySessionSchema.safeParse(value).data;
    return session && oneSession(session);
  }
  const sessions = sentrySessionsSchema.safeParse(value).data;
  return sessions && manySessions(sessions, hash("sha256", JSON.stringify([report, hash("sha256", payload)])));
}

/**
 * A session is reported when it begins and again when it ends or errs. Any report shows that it is there, and one that
 * it crashed, so that their order and repetitions don't matter.
 */
function oneSession({ sid, started, status, attrs }: SentrySession): ReportedSessions | undefined {
  const at = timeOf(started);
  const session = at && { id: sid.toLowerCase(), at, sessions: 1, crashed: status === "crashed" ? 1 : 0 };
  return session ? { ...ownerOf(attrs), sessions: [session] } : undefined;
}

function manySessions({ aggregates, attrs }: SentrySessions, item: string): ReportedSessions {
  const sessions = aggregates.flatMap(({ started, exited, errored, crashed, abnormal, unhandled }, index) => {
    const at = timeOf(started);
    const all = [exited, errored, crashed, abnormal, unhandled].reduce<number>((sum, some) => sum + (some ?? 0), 0);
    return at === undefined || all === 0 ? [] : [{ id: `${item}/${index}`, at, sessions: all, crashed: crashed ?? 0 }];
  });
  return { ...ownerOf(attrs), sessions };
}

function ownerOf(attrs: SentrySession["attrs"]): Pick<ReportedSessions, "release" | "environment"> {
  return { release: attrs?.release ?? "", environment: attrs?.environment ?? "" };
}

/** Returns a message of the telemetry queue for each release and environment; the same sessions get the same id. */
export function sessionsMessages(
  reported: readonly ReportedSessions[],
  project: SentryProject,
  frame: BatchFrame,
): readonly NewMessage[] {
  const owned = Map.groupBy(reported, ({ release, environment }) => JSON.stringify([release, environment]));
  return [...owned.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const sessions = [first, ...others].flatMap((one) => one.sessions);
    return [sessionsMessage({ ...first, sessions }, project, frame)];
  });
}

function sessionsMessage(
  { release, environment, sessions }: ReportedSessions,
  project: SentryProject,
  frame: BatchFrame,
): NewMessage {
  const header: BatchHeader = {
    sdk: { name: "sentry", version: "" },
    service: cutText(project.service, limits.serviceLengthMax),
    env: envOf(environment, project),
    ...(release !== "" && { release: cutText(release, limits.textLengthMax) }),
    host: { name: "", pid: 0, runtime: { name: "", version: "" }, os: "", arch: "" },
    sent_at: frame.receivedAt,
    instance: "",
  };
  return {
    id: hash("sha256", JSON.stringify([frame.scopeId, project.id, release, environment, sessions])),
    body: writeBatchMessage(headerOf(frame), JSON.stringify({ ...header, events: [], sessions })),
  };
}
