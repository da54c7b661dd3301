import { randomUUID } from "node:crypto";
import { debugIdsContext, limits, type TelemetryEvent } from "@whence/protocol";
import { z } from "zod";
import { boundedData, cutText } from "../mapping/bounded-data.ts";
import { dashed, derivedId } from "../mapping/event-id.ts";
import { timeOf } from "./event-times.ts";
import { levelOf } from "./levels.ts";
import type { Platform } from "./platforms.ts";
import { readContexts, type SentryEvent } from "./read-event.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { toBreadcrumbs } from "./to-breadcrumbs.ts";
import { toExceptions } from "./to-exceptions.ts";
import { toRequest } from "./to-request.ts";

const logged = "log";
/** What Sentry's clients describe about machines and themselves. */
const unkeptContexts: ReadonlySet<string> = new Set([
  "runtime",
  "os",
  "device",
  "culture",
  "cloud_resource",
  "trace",
  "otel",
  "replay",
  "profile",
  "browser",
  "gpu",
  "app",
  "reprocessing",
  "rust",
]);

/** Whose event it is, and when it came. */
export interface EventFrame {
  readonly scopeId: string;
  readonly receivedAt: string;
}

/** Returns an event of one of Sentry's clients as ours. It is valid whatever the client sent. */
export function toEvent(event: SentryEvent, platform: Platform, { scopeId, receivedAt }: EventFrame): TelemetryEvent {
  const timestamp = timeOf(event.timestamp) ?? receivedAt;
  const exceptions = toExceptions(event.exception ?? [], platform);
  const [thrown] = exceptions;
  const request = event.request && toRequest(event.request, event);
  const breadcrumbs = toBreadcrumbs(event.breadcrumbs ?? [], timestamp);
  return {
    id: eventId(event.event_id, scopeId),
    // A client's events have no numbers. What it dropped, it reports apart.
    seq: 1,
    type: thrown ? "exception" : "log",
    timestamp,
    level: levelOf(event.level ?? "error"),
    message: cutText(thrown?.message || messageOf(event), limits.messageLengthMax),
    mechanism: mechanismOf(event),
    ...(thrown && { exceptions }),
    ...(breadcrumbs.length > 0 && { breadcrumbs }),
    ...(request && { request }),
    ...traceOf(event),
    ...(event.logger !== undefined && { attributes: { logger: cutText(event.logger, limits.textLengthMax) } }),
    ...(event.user?.id !== undefined && { user: { id: cutText(event.user.id, limits.textLengthMax) } }),
    ...tagsOf(event),
    ...contextsOf(event),
  };
}

const uuid = z.uuid();

/** Returns the client's id, or one that is always the same for the same text, if that isn't a UUID. */
function eventId(text: string | undefined, scopeId: string): string {
  if (text === undefined) return randomUUID();
  const given = dashed(text);
  return uuid.safeParse(given).success ? given : derivedId(`${scopeId} ${text}`);
}

function messageOf({ logentry, message }: SentryEvent): string {
  const said = typeof message === "string" ? { formatted: message, message } : message;
  return logentry?.formatted ?? logentry?.message ?? said?.formatted ?? said?.message ?? "";
}

/** The outermost error's mechanism says what caught it. */
function mechanismOf({ exception = [] }: SentryEvent): TelemetryEvent["mechanism"] {
  const { type = exception.length === 0 ? logged : "generic", handled = true } = exception.at(-1)?.mechanism ?? {};
  return { type: cutText(type, limits.textLengthMax), handled };
}

function traceOf({ contexts }: SentryEvent): Pick<TelemetryEvent, "trace"> {
  const { trace_id, span_id } = readContexts(contexts)?.trace ?? {};
  if (trace_id === undefined || span_id === undefined) return {};
  if (!/^[0-9a-f]{32}$/.test(trace_id) || !/^[0-9a-f]{16}$/.test(span_id)) return {};
  return { trace: { trace_id, span_id } };
}

function tagsOf({ tags = [] }: SentryEvent): Pick<TelemetryEvent, "tags"> {
  const kept = tags.flatMap(([name, value]) => {
    if (value === null || typeof value === "object") return [];
    return [[cutText(name, limits.tagNameLengthMax), cutText(String(value), limits.tagValueLengthMax)]];
  });
  return kept.length === 0 ? {} : { tags: Object.fromEntries(kept) };
}

function contextsOf({ contexts = {}, extra = {}, debug_meta }: SentryEvent): Pick<TelemetryEvent, "contexts"> {
  const images = debug_meta?.images ?? [];
  const debugIds = Object.fromEntries(
    images.flatMap(({ code_file, debug_id }) =>
      code_file === undefined || debug_id === undefined ? [] : [[cutText(code_file, limits.textLengthMax), debug_id]],
    ),
  );
  const own = Object.entries(contexts).filter(([name]) => !unkeptContexts.has(name));
  const kept = [...own, ...(Object.keys(extra).length > 0 ? [["extra", extra] as const] : [])]
    .slice(0, sentryLimits.contextsMax)
    .flatMap(([name, value]) =>
      typeof value === "object" && value !== null
        ? [[cutText(name, limits.tagNameLengthMax), boundedData({ ...value })]]
        : [],
    );
  if (Object.keys(debugIds).length > 0) kept.push([debugIdsContext, boundedData(debugIds)]);
  return kept.length === 0 ? {} : { contexts: Object.fromEntries(kept) };
}
