import { limits } from "@whence/protocol/limits";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { boundedRecord } from "./bounded-data.ts";
import type { Breadcrumb, Trail } from "./breadcrumbs.ts";
import type { WhenceEvent } from "./event.ts";
import { firstCall } from "./stack.ts";

/**
 * Returns the event that replaces the log record of the same failure. The record's own message and fields become a
 * breadcrumb of the event, at the time of the record.
 */
export function withLogContext(event: WhenceEvent, logged: WhenceEvent): WhenceEvent {
  if (logged.type !== "log" || event.type === "log") return event;
  const context = logContextOf(logged, event);
  return context ? { ...event, trail: withBreadcrumb(event.trail, context) } : event;
}

function logContextOf(logged: WhenceEvent, event: WhenceEvent): Breadcrumb | undefined {
  const { timestamp, level } = logged;
  const text = withoutCalls(logged.message);
  const { attributes = {} } = event;
  const fields = Object.entries(logged.attributes ?? {}).filter(([name, value]) => attributes[name] !== value);
  if (fields.length === 0 && repeatsError(event, text)) return undefined;
  const data = fields.length > 0 ? { data: boundedFields(fields) } : {};
  const message = trimText(text, sdkLimits.logLineCharactersMax);
  return { timestamp, category: "log", level, message, ...data, settled: true };
}

/** Returns the message without a stack, since the event has the same one. */
function withoutCalls(message: string): string {
  const start = message.search(firstCall);
  return start === -1 ? message : message.slice(0, start);
}

/** Bounds the values, which are redacted already. */
function boundedFields(fields: [string, unknown][]): Record<string, unknown> | undefined {
  return boundedRecord(Object.fromEntries(fields), sdkLimits.breadcrumbCharactersMax)?.data;
}

/** Whether a text only repeats the error's message, or its printed header with punctuation before it. */
function repeatsError({ message, thrown }: WhenceEvent, text: string): boolean {
  return text === message || text.replace(/^\W+/, "") === thrown?.[0]?.stack.header;
}

function withBreadcrumb(trail: Trail | undefined, breadcrumb: Breadcrumb): Trail {
  const breadcrumbs = [...(trail?.breadcrumbs ?? [])];
  const later = breadcrumbs.findIndex(({ timestamp }) => timestamp > breadcrumb.timestamp);
  breadcrumbs.splice(later === -1 ? breadcrumbs.length : later, 0, breadcrumb);
  return { breadcrumbs: breadcrumbs.slice(-limits.breadcrumbsMax) };
}
