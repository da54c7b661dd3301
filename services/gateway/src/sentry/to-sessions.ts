import { hash, randomUUID } from "node:crypto";
import { type BatchHeader, limits, parseJson, type SentryProject } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { cutText } from "../mapping/bounded-data.ts";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import { type KeptSessions, writeBatchMessage } from "../telemetry/batch-message.ts";
import { headerOf } from "../telemetry/batch-messages.ts";
import { envOf } from "./env-of.ts";
import { timeOf } from "./event-times.ts";
import type { SessionsOwner } from "./release-allowance.ts";
import {
  type SentrySession,
  type SentrySessions,
  sentrySessionSchema,
  sentrySessionsSchema,
} from "./session-schema.ts";

/** Sessions that an item reports, and whose they are. */
export interface ReportedSessions extends SessionsOwner {
  readonly sessions: readonly KeptSessions[];
}

/** The envelope that an item came in. */
export interface ReportFrame {
  readonly project: SentryProject;
  /** The {@link nameOfReport name} of the report. */
  readonly report: string;
}

/**
 * Names what an envelope reports, so that it's the same when it comes again, and another process's isn't. An item of a
 * server names no process, and its minutes and counts can be another's, too: what tells them apart is the moment of
 * sending. Without one, or with one in whole seconds, each envelope is on its own.
 */
export function nameOfReport(sentAt: string | undefined): string {
  return sentAt !== undefined && /:\d\d\.\d{3}/.test(sentAt) ? sentAt : randomUUID();
}

/** Reads a `session` or a `sessions` item; undefined for an invalid one. */
export function readSessions(
  type: string,
  payload: Buffer,
  { project, report }: ReportFrame,
): ReportedSessions | undefined {
  const value = parseJson(payload.toString("utf8"));
  if (type === "session") {
    const session = sentrySessionSchema.safeParse(value).data;
    const one = session && oneSession(session);
    return one && { ...ownerOf(session.attrs, project), sessions: [one] };
  }
  const sessions = sentrySessionsSchema.safeParse(value).data;
  if (!sessions) return undefined;
  const item = hash("sha256", JSON.stringify([report, hash("sha256", payload)]));
  return { ...ownerOf(sessions.attrs, project), sessions: manySessions(sessions, item) };
}

/**
 * A session is reported when it begins and again when it ends or errs. Any report shows that it is there, and one how it
 * failed, so that their order and repetitions don't matter.
 */
function oneSession({ sid, started, status }: SentrySession): KeptSessions | undefined {
  const at = timeOf(started);
  if (at === undefined) return undefined;
  const isAs = (one: string): number => (status === one ? 1 : 0);
  return { id: sid.toLowerCase(), at, sessions: 1, crashed: isAs("crashed"), unhandled: isAs("unhandled") };
}

function manySessions({ aggregates }: SentrySessions, item: string): KeptSessions[] {
  return aggregates.flatMap(({ started, exited, errored, crashed, abnormal, unhandled }, index) => {
    const at = timeOf(started);
    const sessions = exited + errored + crashed + abnormal + unhandled;
    return at === undefined || sessions === 0 ? [] : [{ id: `${item}/${index}`, at, sessions, crashed, unhandled }];
  });
}

/** Cut here, since they are remembered as well as stored. */
function ownerOf(attrs: SentrySession["attrs"], project: SentryProject): SessionsOwner {
  return {
    env: envOf(attrs?.environment ?? "", project),
    release: cutText(attrs?.release ?? "", limits.textLengthMax),
  };
}

interface MessageFrame {
  readonly project: SentryProject;
  readonly frame: BatchFrame;
}

/** Returns a message of the telemetry queue for each release and environment; the same sessions get the same id. */
export function sessionsMessages(reported: readonly ReportedSessions[], whose: MessageFrame): readonly NewMessage[] {
  const owned = Map.groupBy(reported, ({ env, release }) => JSON.stringify([env, release]));
  return [...owned.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const sessions = [first, ...others].flatMap((one) => one.sessions);
    return [sessionsMessage({ ...first, sessions }, whose)];
  });
}

function sessionsMessage({ env, release, sessions }: ReportedSessions, { project, frame }: MessageFrame): NewMessage {
  const header: BatchHeader = {
    sdk: { name: "sentry", version: "" },
    service: cutText(project.service, limits.serviceLengthMax),
    env,
    ...(release !== "" && { release }),
    host: { name: "", pid: 0, runtime: { name: "", version: "" }, os: "", arch: "" },
    sent_at: frame.receivedAt,
    instance: "",
  };
  return {
    id: hash("sha256", JSON.stringify([frame.scopeId, project.id, env, release, sessions])),
    body: writeBatchMessage(headerOf(frame), JSON.stringify({ ...header, events: [], sessions })),
  };
}
