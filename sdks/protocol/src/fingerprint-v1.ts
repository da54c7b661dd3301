import { type FingerprintInput, hash } from "./fingerprint-input.ts";
import type { Exception, Frame } from "./telemetry.ts";

/**
 * What made two events one failure before `fingerprint.ts`. Stored fingerprints keep meaning what they meant, so these
 * rules never change; they go once no failure is known by such a name alone any more.
 */
const version = "v1";

/** Frames that take part; deeper ones differ by caller, not by failure. */
const framesConsidered = 5;
const stackLinesConsidered = 6;

/**
 * The fingerprint of a failure: `v1:` and 16 hex digits. It survives moved lines, ids, numbers and hashes in messages,
 * and deep callers; it differs by service, by the types in the cause chain, and by the innermost cause's first five
 * frames of the service's own code.
 */
export function fingerprintV1(input: FingerprintInput): string {
  return `${version}:${hash(canonical(input).join("\n"))}`;
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
function stable(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>")
    .replace(/\b0x[0-9a-f]+\b/gi, "<hex>")
    .replace(/\b(?=[0-9a-f]*[0-9])[0-9a-f]{8,}\b/gi, "<hex>")
    .replace(/\d+/g, "<n>");
}
