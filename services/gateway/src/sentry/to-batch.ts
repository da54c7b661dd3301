import { hash } from "node:crypto";
import { type BatchHeader, type Dropped, limits, type SentryProject } from "@whence/protocol";
import { cutText } from "../mapping/bounded-data.ts";
import { trimEvent } from "../mapping/trim-event.ts";
import type { MadeBatch } from "../telemetry/validate.ts";
import { envOf } from "./env-of.ts";
import { type Platform, platformOf } from "./platforms.ts";
import { type ClientReport, readContexts, type SentryContexts, type SentryEvent } from "./read-event.ts";
import { type EventFrame, toEvent } from "./to-event.ts";

const text = (value: string): string => cutText(value, limits.textLengthMax);
const name = (value: string): string => cutText(value, limits.serviceLengthMax);

/** Returns a batch with one event. */
export function eventBatch(event: SentryEvent, project: SentryProject, frame: EventFrame): MadeBatch {
  const contexts = contextsOf(event);
  const platform = platformOf(event, contexts.runtime?.name);
  const header = headerOf(event, { platform, contexts, project, frame });
  return { header, events: [trimEvent(toEvent(event, platform, frame))] };
}

/** Returns the part of a batch that says who sent it. */
export function eventHeader(event: SentryEvent, project: SentryProject, frame: EventFrame): BatchHeader {
  const contexts = contextsOf(event);
  return headerOf(event, { platform: platformOf(event, contexts.runtime?.name), contexts, project, frame });
}

function contextsOf({ contexts }: SentryEvent): SentryContexts {
  return readContexts(contexts) ?? {};
}

interface HeaderOf {
  readonly platform: Platform;
  readonly contexts: SentryContexts;
  readonly project: SentryProject;
  readonly frame: EventFrame;
}

function headerOf(event: SentryEvent, { platform, contexts, project, frame }: HeaderOf): BatchHeader {
  const { sdk, release, environment = "", server_name: server = "" } = event;
  const { runtime, os, device, app, trace } = contexts;
  const env = envOf(environment, project);
  // Clients name no process. With a server's name, its release and its start, where given, tell processes apart; a page
  // has a trace for as long as it is open.
  const life = server === "" ? (trace?.trace_id ?? event.event_id) : app?.app_start_time;
  return {
    sdk: { name: text(sdk?.name ?? "sentry"), version: text(sdk?.version ?? "") },
    service: name(project.service),
    env,
    ...(release !== undefined && { release: text(release) }),
    host: {
      name: text(server),
      pid: 0,
      runtime: { name: text(platform.runtime), version: text(runtime?.version?.trim() ?? "") },
      os: text(os?.name?.toLowerCase() ?? ""),
      arch: text(device?.arch ?? ""),
    },
    sent_at: frame.receivedAt,
    instance: instanceOf([project.id, env, server, release, platform.runtime, life]),
  };
}

function instanceOf(parts: readonly (string | undefined)[]): string {
  return hash("sha256", JSON.stringify(parts)).slice(0, 32);
}

/** Our names for a client's reasons; any other is its own doing. */
const reasons: ReadonlyMap<string, Dropped["reason"]> = new Map([
  ["queue_overflow", "queue_full"],
  ["cache_overflow", "queue_full"],
  ["buffer_overflow", "queue_full"],
  ["ratelimit_backoff", "rate_limited"],
  ["backpressure", "rate_limited"],
  ["network_error", "network_error"],
  ["send_error", "rejected"],
  ["sample_rate", "sampled_out"],
  ["before_send", "before_send"],
  ["event_processor", "before_send"],
  ["ignored", "ignored"],
]);
/** A client that lost more says how many again with its next report. */
const lostMax = 1_000_000;

/** Whether a client says that it dropped events of a kind that is kept. */
export function hasLosses(report: ClientReport): boolean {
  return lossesOf(report).length > 0;
}

function lossesOf({ discarded_events: discarded = [] }: ClientReport) {
  return discarded.flatMap(({ category, reason = "", quantity = 0 }) =>
    quantity > 0 && (category === "error" || category === "default") ? [{ reason, quantity }] : [],
  );
}

/** Returns a batch with the events that a client says it dropped, in one or more reports; null when it dropped none. */
export function lossesBatch(
  reports: readonly ClientReport[],
  project: SentryProject,
  { receivedAt }: EventFrame,
): MadeBatch | null {
  const dropped: Dropped[] = [];
  let next = 1;
  for (const { reason, quantity } of reports.flatMap(lossesOf).slice(0, limits.droppedRangesMax)) {
    const last = next + Math.min(quantity, lostMax) - 1;
    dropped.push({ from_seq: next, to_seq: last, reason: reasons.get(reason) ?? "internal_error" });
    next = last + 1;
  }
  if (dropped.length === 0) return null;
  const reportedAt = String(reports[0]?.timestamp ?? receivedAt);
  const header = {
    sdk: { name: "sentry", version: "" },
    service: name(project.service),
    env: project.env,
    host: { name: "", pid: 0, runtime: { name: "", version: "" }, os: "", arch: "" },
    sent_at: receivedAt,
    instance: instanceOf([project.id, "report", reportedAt, JSON.stringify(dropped)]),
    dropped,
  };
  return { header, events: [] };
}
