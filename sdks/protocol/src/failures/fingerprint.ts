import type { ProcessExitKind } from "../incidents/incident.ts";
import { isMinified } from "../telemetry/minified.ts";
import type { Exception } from "../telemetry/telemetry.ts";
import { type FailurePlace, placeOf } from "./failure-place.ts";
import { messageTemplate } from "./message-template.ts";

/** Names the rules below. Changing them regroups every failure, so changed rules get another name. */
const rules = "v1";

/** From this many named places on the stack says where it failed; with fewer the message has to help. */
const namedPlacesMin = 1;

/** What a fingerprint is made of. */
export interface FingerprintInput {
  readonly service: string;
  readonly message: string;
  readonly exceptions?: readonly Exception[] | undefined;
}

/**
 * The fingerprint of a failure: `v1:` and 16 hex digits. It survives moved lines and columns, ids, numbers and other
 * values in messages, names that a bundler or a generator made, path prefixes, frames of the runtime, of installed
 * packages and of instrumentation between the service's own, async frames, and deep callers. It differs by service, by
 * the types in the cause chain, by where the innermost cause was thrown, and, where the stack does not say, by what the
 * message says.
 */
export function fingerprint(input: FingerprintInput): string {
  return named(canonical(input));
}

/** Of processes that stopped reporting: the same end of the same services is the same failure; `killed` again and again is another. */
export function exitFingerprint(services: readonly string[], kind: ProcessExitKind | "killed again and again"): string {
  return named(["silent death", kind, ...[...services].sort()]);
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
  return [service, ...types, ...place.calls, ...(saysEnough(place) ? [] : [messageTemplate(innermost.message)])];
}

/** Without a named place the type alone would merge unrelated failures. */
function saysEnough({ named: count }: FailurePlace): boolean {
  return count >= namedPlacesMin;
}

/**
 * The chain from the error to its innermost cause. Of several members of an aggregate the first stands for all: how many
 * addresses were tried is no other failure.
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

/** A log whose text is an error with its stack, as `console.error(error.stack)` prints one. */
function printedIn(message: string): Exception[] {
  const at = message.search(/\n\s{1,20}(?:at |File ")/);
  if (at === -1) return [];
  const head = message.slice(0, at);
  return [{ type: "", message: head, stack: message.slice(at + 1) }];
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
