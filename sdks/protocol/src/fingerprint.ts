import type { Exception, Frame } from "./telemetry.ts";

/**
 * What makes two events one failure. Versioned: a change of these rules would regroup everything, so a new rule set
 * becomes `v2` beside this one, and stored fingerprints keep meaning what they meant.
 */
export const fingerprintVersion = "v1";

/** Frames that take part; deeper ones differ by caller, not by failure. */
const framesConsidered = 5;
const stackLinesConsidered = 6;

export interface FingerprintInput {
  readonly service: string;
  readonly message: string;
  readonly exceptions?: readonly Exception[] | undefined;
}

/**
 * The fingerprint of a failure: `v1:` and 16 hex digits. It survives moved lines, ids, numbers and hashes in messages,
 * and deep callers; it differs by service, by the types in the cause chain, and by the innermost cause's first five
 * frames of the service's own code.
 */
export function fingerprint(input: FingerprintInput): string {
  return `${fingerprintVersion}:${hash(canonical(input).join("\n"))}`;
}

function canonical({ service, message, exceptions = [] }: FingerprintInput): string[] {
  const innermost = exceptions.at(-1);
  if (!innermost) return [service, stable(message)];
  const types = exceptions.map((exception) => exception.type);
  const place = placeOf(innermost);
  // Without a place the type alone would merge unrelated failures; the message has to tell them apart.
  return [service, ...types, ...(place.length > 0 ? place : [stable(innermost.message)])];
}

function placeOf({ frames = [], stack }: Exception): string[] {
  const own = frames.filter((frame) => frame.in_app !== false);
  const chosen = (own.length > 0 ? own : frames).slice(0, framesConsidered).map(framePlace);
  if (chosen.length > 0) return chosen;
  return stack
    .split("\n")
    .filter((line) => /^\s+(at|File) /.test(line))
    .slice(0, stackLinesConsidered)
    .map((line) => stable(line.trim()));
}

function framePlace(frame: Frame): string {
  return `${stable(frame.file ?? "?")} ${frame.function ?? "?"}`;
}

/** Text with everything that varies between two occurrences replaced. */
export function stable(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>")
    .replace(/\b0x[0-9a-f]+\b/gi, "<hex>")
    .replace(/\b(?=[0-9a-f]*[0-9])[0-9a-f]{8,}\b/gi, "<hex>")
    .replace(/\d+/g, "<n>");
}

/** 64 bits as two FNV-1a lanes: no secrecy is needed, only that failures of one organization rarely collide. */
function hash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + index), 0x01000193);
  }
  return hex(high) + hex(low);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
