import type { ProcessExitKind } from "../incidents/incident.ts";
import { isMinified } from "../telemetry/minified.ts";
import type { Exception } from "../telemetry/telemetry.ts";
import { type FailurePlace, placeOf } from "./failure-place.ts";
import { messageTemplate } from "./message-template.ts";

/** The version of the rules below. Changing them regroups every failure, so changed rules get another name. */
const rules = "v1";

/** The number of named places from which on the stack says where it failed; with fewer, the message has to help. */
const namedPlacesMin = 1;

/** The input of a fingerprint. */
export interface FingerprintInput {
  readonly service: string;
  readonly message: string;
  readonly exceptions?: readonly Exception[] | undefined;
}

/**
 * Returns the fingerprint of a failure: `v1:` and 16 hex digits. It survives moved lines and columns; ids, numbers, and
 * other values in messages; names made by a bundler or a generator; path prefixes; async frames; deep callers; and
 * frames of the runtime, of installed packages, and of instrumentation. It differs by service, by the types in the
 * cause chain, by where the innermost cause was thrown, and, where its stack doesn't say, by the message.
 */
export function fingerprint(input: FingerprintInput): string {
  return named(canonical(input));
}

/**
 * Returns the fingerprint of processes that stopped reporting. The same kind of exit of the same services is the same
 * failure; `killed` repeatedly is another.
 */
export function exitFingerprint(services: readonly string[], kind: ProcessExitKind | "killed again and again"): string {
  return named(["process exit", kind, ...[...services].sort()]);
}

function named(parts: readonly string[]): string {
  return `${rules}:${hash(parts.join("\n"))}`;
}

function canonical({ service, message, exceptions = [] }: FingerprintInput): string[] {
  const chain = exceptions.length > 0 ? causes(exceptions) : printedIn(message);
  const innermost = chain.at(-1);
  if (!innermost) return [service, messageTemplate(message)];
  const types = chain.map(({ type }) => (isMinified(type) ? "?" : type));
  const place = placeOf(innermost);
  const calls = place.calls.length > 0 ? place.calls : outerCalls(chain);
  return [service, ...types, ...calls, ...(saysEnough(place) ? [] : [messageTemplate(innermost.message)])];
}

/** Errors of Go have no stack: their client sends one with the outermost, and what it wraps has only a message. */
function outerCalls(chain: readonly Exception[]): readonly string[] {
  const places = chain.slice(0, -1).map((outer) => placeOf(outer).calls);
  return places.findLast((calls) => calls.length > 0) ?? [];
}

/** Whether the place is specific enough. Without a named place, the type alone would merge unrelated failures. */
function saysEnough({ named: count }: FailurePlace): boolean {
  return count >= namedPlacesMin;
}

/**
 * Returns the chain from the error to its innermost cause. The first member of an aggregate stands for all: the number
 * of addresses tried doesn't make another failure.
 */
function causes(exceptions: readonly Exception[]): Exception[] {
  const chain: Exception[] = [];
  const seen = new Set<number>();
  for (const exception of exceptions) {
    const { parent } = exception;
    if (parent !== undefined && seen.has(parent)) continue;
    if (parent !== undefined) seen.add(parent);
    chain.push(exception);
  }
  return chain;
}

/** Parses a log whose text is an error with its stack, as `console.error(error.stack)` prints one. */
function printedIn(message: string): Exception[] {
  const at = message.search(/\n\s{1,20}(?:at |File ")/);
  if (at === -1) return [];
  const head = message.slice(0, at);
  return [{ type: "", message: head, stack: message.slice(at + 1) }];
}

/**
 * Hashes to 64 bits in two FNV-1a lanes. It needs no secrecy, only rare collisions between failures of one
 * organization.
 */
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
