import { limits } from "@whence/protocol/limits";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { boundedRecord } from "./bounded-data.ts";
import type { Breadcrumb, Trail } from "./breadcrumbs.ts";
import type { WhenceEvent } from "./event.ts";
import { firstCall } from "./stack.ts";

/**
 * An event that takes the place of the log record that told of the same failure first. What only the record said, its
 * message and its fields, is a breadcrumb of the event, at its time.
 */
export function withWhatLogSaid(event: WhenceEvent, logged: WhenceEvent): WhenceEvent {
  if (logged.type !== "log" || event.type === "log") return event;
  const said = onlySaidBy(logged, event);
  return said ? { ...event, trail: withBreadcrumb(event.trail, said) } : event;
}

function onlySaidBy(logged: WhenceEvent, event: WhenceEvent): Breadcrumb | undefined {
  const { timestamp, level } = logged;
  const words = withoutCalls(logged.message);
  const { attributes = {} } = event;
  const fields = Object.entries(logged.attributes ?? {}).filter(([name, value]) => attributes[name] !== value);
  if (fields.length === 0 && isToldBy(event, words)) return undefined;
  const data = fields.length > 0 ? { data: boundedFields(fields) } : {};
  const message = trimText(words, sdkLimits.logLineCharactersMax);
  return { timestamp, category: "log", level, message, ...data, settled: true };
}

/** The calls of a stack that is part of the message are those of the event. */
function withoutCalls(message: string): string {
  const start = message.search(firstCall);
  return start === -1 ? message : message.slice(0, start);
}

/** The record had them redacted. */
function boundedFields(fields: [string, unknown][]): Record<string, unknown> | undefined {
  return boundedRecord(Object.fromEntries(fields), sdkLimits.breadcrumbCharactersMax)?.data;
}

/** Whether words are those of the error, or what is printed of it, behind no more than a sign. */
function isToldBy({ message, thrown }: WhenceEvent, words: string): boolean {
  return words === message || words.replace(/^\W+/, "") === thrown?.[0]?.stack.header;
}

function withBreadcrumb(trail: Trail | undefined, breadcrumb: Breadcrumb): Trail {
  const breadcrumbs = [...(trail?.breadcrumbs ?? [])];
  const later = breadcrumbs.findIndex(({ timestamp }) => timestamp > breadcrumb.timestamp);
  breadcrumbs.splice(later === -1 ? breadcrumbs.length : later, 0, breadcrumb);
  return { breadcrumbs: breadcrumbs.slice(-limits.breadcrumbsMax) };
}
