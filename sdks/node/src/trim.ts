import type { TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { trimText } from "./text.ts";

/** Below this a string's marker is as long as what it saves. */
const shortestCap = 128;

/**
 * An event as JSON of at most {@link limits.eventBytesMax} bytes. When it is larger its longest strings are cut first,
 * each marked with how much is missing; an event that is large without a long string loses its frames' list, then its
 * breadcrumbs, then its attributes. Never given up whole.
 */
export function encodeEvent(event: TelemetryEvent): string {
  const json = JSON.stringify(event);
  if (fits(json)) return json;
  for (let cap = longestString(event) / 2; cap >= shortestCap; cap /= 2) {
    const trimmed = JSON.stringify(capStrings(event, Math.floor(cap)));
    if (fits(trimmed)) return trimmed;
  }
  return encodeSkeleton(event);
}

function encodeSkeleton(event: TelemetryEvent): string {
  const { attributes: _attributes, breadcrumbs, exceptions, ...core } = event;
  const bare = exceptions?.map(({ frames: _frames, properties: _properties, ...exception }) => exception);
  const withTrail = { ...core, ...(bare ? { exceptions: bare } : {}), ...(breadcrumbs ? { breadcrumbs } : {}) };
  const json = JSON.stringify(capStrings(withTrail, shortestCap));
  if (fits(json)) return json;
  return JSON.stringify(capStrings({ ...core, ...(bare ? { exceptions: bare } : {}) }, shortestCap));
}

function fits(json: string): boolean {
  // A UTF-16 unit is at most three bytes in UTF-8: only what is near the limit has to be counted.
  return json.length * 3 <= limits.eventBytesMax || Buffer.byteLength(json) <= limits.eventBytesMax;
}

function longestString(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((longest, item) => Math.max(longest, longestString(item)), 0);
}

function capStrings(value: unknown, cap: number): unknown {
  if (typeof value === "string") return trimText(value, cap);
  if (Array.isArray(value)) return value.map((item: unknown) => capStrings(item, cap));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, capStrings(item, cap)]));
}
