import type { Exception, TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { toJson } from "../runtime/json.ts";
import { trimText } from "../runtime/text.ts";
import type * as sdkLimits from "../sdk-limits.ts";
import { eventJson } from "./event-json.ts";

/** Below this length, a string's marker is as long as what it saves. */
const shortestCap = 128;
/** Short enough that even an event of only escaped characters fits {@link sdkLimits.eventBytesMin}. */
const lastCap = 64;
/** The number of newest breadcrumbs kept when an event has no room for all of them. */
const breadcrumbsKept = 10;

/** The parts that an event without long strings gives up, in order, and the names under which it lists them. */
const sacrifices: readonly (readonly [name: string, give: (event: TelemetryEvent) => TelemetryEvent])[] = [
  ["variables", (event) => withExceptions(event, withoutVariables)],
  ["source", (event) => withExceptions(event, withoutSource)],
  ["frames", (event) => withExceptions(event, ({ frames: _frames, ...exception }) => exception)],
  [
    "breadcrumbs",
    (event) => (event.breadcrumbs ? { ...event, breadcrumbs: event.breadcrumbs.slice(-breadcrumbsKept) } : event),
  ],
  ["breadcrumbs", ({ breadcrumbs: _breadcrumbs, ...event }) => event],
  ["attributes", ({ attributes: _attributes, ...event }) => event],
  ["contexts", ({ contexts: _contexts, ...event }) => event],
  ["tags", ({ tags: _tags, ...event }) => event],
  ["user", ({ user: _user, ...event }) => event],
  ["properties", (event) => withExceptions(event, ({ properties: _properties, ...exception }) => exception)],
  ["headers", (event) => (event.request ? { ...event, request: { ...event.request, headers: {} } } : event)],
  ["environment variables", ({ environment_variables: _variables, ...event }) => event],
  ["causes", (event) => (event.exceptions ? { ...event, exceptions: event.exceptions.slice(0, 1) } : event)],
  ["redactions", ({ redactions: _redactions, ...event }) => event],
  ["texts", (event) => capped(event, lastCap)],
];

/**
 * Returns an event as JSON of at most `bytesMax` bytes, which must be at least {@link sdkLimits.eventBytesMin}. A
 * larger event first has its longest strings cut to one length, each marked with how much is missing. If that isn't
 * enough, it loses frames, breadcrumbs, attributes, and so on, and its attribute `whence.trimmed` lists them. An event
 * is never dropped for its size.
 */
export function encodeEvent(event: TelemetryEvent, bytesMax: number = limits.eventBytesMax): string {
  const json = eventJson(event);
  return fits(json, bytesMax) ? json : trim(event, json.length, bytesMax);
}

/** Applies {@link encodeEvent} to JSON. */
export function trimJson(json: string, bytesMax: number): string {
  return fits(json, bytesMax) ? json : trim(JSON.parse(json), json.length, bytesMax);
}

function trim(event: TelemetryEvent, characters: number, bytesMax: number): string {
  const lengths = stringLengths(event).sort((a, b) => b - a);
  const structure = characters - lengths.reduce((sum, length) => sum + length, 0);
  // A character takes one to four bytes, or six as an escape; if one byte per character isn't enough, the strings are
  // cut again.
  for (let room = bytesMax - structure; room > 0; room *= 0.7) {
    const cap = capFor(lengths, room);
    if (cap < shortestCap) break;
    const trimmed = toJson(capStrings(event, cap));
    if (fits(trimmed, bytesMax)) return trimmed;
  }
  return sacrifice(event, bytesMax);
}

function sacrifice(event: TelemetryEvent, bytesMax: number): string {
  let rest = capped(event, shortestCap);
  let json = "";
  const gone = new Set<string>();
  for (const [name, give] of sacrifices) {
    const before = toJson(rest).length;
    rest = give(rest);
    if (toJson(rest).length < before) gone.add(name);
    json = toJson({ ...rest, attributes: { ...rest.attributes, "whence.trimmed": [...gone] } });
    if (fits(json, bytesMax)) return json;
  }
  return json;
}

/**
 * Returns the largest length to which strings can be cut so that all of them fit together; `lengths` in descending
 * order.
 */
function capFor(lengths: readonly number[], room: number): number {
  let rest = lengths.reduce((sum, length) => sum + length, 0);
  let cap = Number.POSITIVE_INFINITY;
  for (const [index, length] of lengths.entries()) {
    // If all longer ones are cut to this one's length.
    if (rest - length + (index + 1) * length <= room) break;
    rest -= length;
    cap = Math.floor((room - rest) / (index + 1));
  }
  return cap;
}

function fits(json: string, bytesMax: number): boolean {
  // A UTF-16 unit takes at most three bytes in UTF-8, so only sizes near the limit have to be counted.
  return json.length * 3 <= bytesMax || Buffer.byteLength(json) <= bytesMax;
}

function stringLengths(value: unknown, lengths: number[] = []): number[] {
  if (typeof value === "string") lengths.push(value.length);
  else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) stringLengths(item, lengths);
  }
  return lengths;
}

function capped(event: TelemetryEvent, cap: number): TelemetryEvent {
  return capStrings(event, cap) as TelemetryEvent;
}

/** Returns a copy of JSON data in which no text is longer than `cap`; a cut one says how much is missing. */
export function capStrings(value: unknown, cap: number): unknown {
  if (typeof value === "string") return trimText(value, cap);
  if (Array.isArray(value)) return value.map((item: unknown) => capStrings(item, cap));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, capStrings(item, cap)]));
}

function withoutVariables(exception: Exception): Exception {
  const { frames } = exception;
  return frames ? { ...exception, frames: frames.map(({ vars: _vars, ...frame }) => frame) } : exception;
}

function withoutSource(exception: Exception): Exception {
  const { frames } = exception;
  return frames ? { ...exception, frames: frames.map(({ context: _context, ...frame }) => frame) } : exception;
}

function withExceptions(event: TelemetryEvent, change: (exception: Exception) => Exception): TelemetryEvent {
  return event.exceptions ? { ...event, exceptions: event.exceptions.map(change) } : event;
}
