import { isRedactedName } from "@whence/protocol/redaction";
import { type Canary, type Channel, canaries } from "./canaries.ts";

/** Whether a canary leaves the process. */
export interface Fate extends Canary {
  readonly leaves: boolean;
}

/** A field of the program whose name sounds like a secret and whose value would leave. */
export interface NearMiss {
  readonly name: string;
  /** JSON Pointer into the event. */
  readonly path: string;
}

/** Returns, for each canary, whether it is in the outgoing events. */
export function fatesOf(events: readonly unknown[]): Fate[] {
  const text = JSON.stringify(events);
  return canaries.map((canary) => ({ ...canary, leaves: text.includes(canary.value) }));
}

/** Returns the canaries of a channel that would leave. */
export function leaving(fates: readonly Fate[], channel: Channel): Fate[] {
  return fates.filter((fate) => fate.channel === channel && fate.leaves);
}

const sensitive =
  /pass(?:wd|word|phrase)|secret|token|api-?_?key|authoriz|credential|cookie|private-?_?key|session-?_?id|card-?_?number|cvc|cvv|\bssn\b|\biban\b/i;
const nearMissesMax = 50;

/** Returns fields of the program's own events, each name once, that look like an oversight in `redact`. */
export function nearMissesIn(events: readonly unknown[]): NearMiss[] {
  const found = new Map<string, NearMiss>();
  for (const event of events) collect(event, "", found);
  return [...found.values()].slice(0, nearMissesMax);
}

function collect(value: unknown, path: string, found: Map<string, NearMiss>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    const here = `${path}/${name}`;
    const isValue = typeof item === "number" || (typeof item === "string" && !item.startsWith("[redacted"));
    if (isValue && (sensitive.test(name) || isRedactedName(name)) && !found.has(name)) {
      found.set(name, { name, path: here });
    }
    collect(item, here, found);
  }
}
