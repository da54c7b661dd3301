import { createHmac } from "node:crypto";
import { redactedValue, type TelemetryEvent } from "@whence/protocol";

type User = NonNullable<TelemetryEvent["user"]>;

/** 64 bits: among ten million users, two have the same hash once in 370,000 organizations. */
const hashLength = 16;

/**
 * Returns the event with what its user is known by replaced by hashes: `hash:` and 16 hexadecimal digits of the
 * HMAC-SHA256 under the organization's key. Text and numbers that read the same have the same hash, whichever client
 * sent them, so that users can be counted; without the key, nothing can be tried against them. Null as a key keeps the
 * event as it is.
 */
export function hashUser(event: TelemetryEvent, key: string | null): TelemetryEvent {
  const { user } = event;
  return user === undefined || key === null ? event : { ...event, user: hashed(user, key) };
}

/** Whether {@link hashUser} would change nothing. */
export function isHashed(event: TelemetryEvent, key: string | null): boolean {
  return event.user === undefined || key === null;
}

function hashed(user: User, key: string): User {
  return Object.fromEntries(Object.entries(user).map(([name, value]) => [name, hashOf(value, key)]));
}

/** True, false, and null name no one; a list or an object is hashed whole. */
function hashOf(value: unknown, key: string): unknown {
  if (value === null || typeof value === "boolean" || value === redactedValue) return value;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `hash:${createHmac("sha256", key).update(text).digest("hex").slice(0, hashLength)}`;
}
