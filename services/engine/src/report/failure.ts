import type { Location } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import { type LocatedFrame, lineOf, ranAt } from "../findings/located-frame.ts";
import type { Observation } from "../findings/observation.ts";
import { observeCode, observeException, observeFrame, observeText } from "../findings/observe-input.ts";
import type { ParsedException } from "../findings/parsed-error.ts";
import { ownServiceOf } from "../outside/failure-context.ts";
import type { AnyFact } from "../signals/fact.ts";
import { lineWidthMin } from "../words/prose.ts";
import type { Thrown } from "../words/thrown.ts";
import { withoutPrefix } from "./printed-error.ts";
import type { ShownPath } from "./shown-path.ts";

/** Returns the failing service, and its release if known. */
export function ownService(findings: Findings): { service: string | null; release: string | null } {
  const release = findings.event?.release ?? findings.about?.release ?? "";
  return { service: ownServiceOf(findings), release: release === "" ? null : release };
}

/** Returns the operating system's code for the failure, from the innermost error that has one. */
export function systemCode({ error }: Findings): string | null {
  for (const index of error.chain.toReversed()) {
    const exception = error.exceptions[index];
    const code = exception?.properties.code;
    if (typeof code === "string") return code;
    const said = systemCodeIn(exception?.message ?? "");
    if (said !== null) return said;
  }
  return systemCodeIn(error.headline);
}

function systemCodeIn(text: string): string | null {
  return /\bE[A-Z]{3,12}(?:_[A-Z]+)?\b/.exec(text)?.[0] ?? null;
}

/** Returns the innermost error of the chain; null when none was recognized. */
export function thrownIn(findings: Findings): Thrown | null {
  return thrownOf(findings, findings.error.chain.at(-1));
}

/**
 * Returns the innermost error of the chain that may have been thrown at a place: its stack includes the place, or it
 * has no stack.
 */
export function thrownAt(findings: Findings, { file, line }: Location): Thrown | null {
  const { error, frames } = findings;
  const passing = frames.filter((one) => one.file === file && lineOf(one) === line);
  const exceptions = new Set(passing.map(({ exception }) => exception));
  const index = error.chain.findLast((one) => exceptions.has(one) || error.exceptions[one]?.frames.length === 0);
  return thrownOf(findings, index ?? error.chain.at(-1));
}

/** Returns the frames of the chain, those of the innermost error first. */
export function framesInward({ error, frames }: Findings): LocatedFrame[] {
  return error.chain.toReversed().flatMap((index) => frames.filter(({ exception }) => exception === index));
}

function thrownOf({ error }: Findings, index: number | undefined): Thrown | null {
  const inner = error.exceptions[index ?? -1];
  return inner ? withoutPrefix({ type: inner.type, message: firstSentence(inner) }) : null;
}

/** Two lines where the second may go on from the first: it begins like the middle of a sentence, and not with a label. */
const twoLines = /^([^\n]*[\p{L}\p{N},])\n[ \t]*((?![^\n]{1,40}(?<!:):(?: |$)|\d{1,9}[.)] )[\p{Ll}\p{N}][^\n]*)$/u;
/** The end of a line within a sentence: no sentence ends with such a word. */
const open =
  /(?:,|\b(?:a|an|the|of|for|from|to|with|without|in|on|at|by|as|than|into|and|or|but|nor|that|which|is|are|was|were|be|not|no|if|because|when))$/i;

/** Returns the first line of a message, together with the only other one if the sentence goes on there. */
function firstSentence({ type, message }: ParsedException): string {
  const [, start, end] = twoLines.exec(message.trimEnd()) ?? [];
  const isBroken = start !== undefined && (open.test(start) || `${type}: ${start}`.length >= lineWidthMin);
  return isBroken ? `${start} ${end}` : (message.split("\n", 1)[0] ?? "");
}

/** Returns `GET /orders/:id`; null when no request was being served. */
export function requestText({ event }: Findings): string | null {
  if (!event?.request) return null;
  const { method, path, route } = event.request;
  return `${method} ${route ?? path}`;
}

/** Returns the code of a frame; without it, the frame as printed, which the error's own evidence has, too. */
export function frameEvidence(frame: LocatedFrame, findings: Findings): Observation<AnyFact>[] {
  const place = ranAt(frame);
  if (place) return [observeCode(findings, place)];
  const printed = observeFrame(findings, frame);
  return printed ? [printed] : [];
}

/** Returns the error itself as printed: the innermost and the outermost of its chain. */
export function failureEvidence(findings: Findings): Observation<AnyFact>[] {
  const { error } = findings;
  const chain = error.chain.flatMap((index) => error.exceptions[index] ?? []);
  const [head, inner] = [chain[0], chain.at(-1)];
  if (!head || !inner) return [observeText(findings)];
  return head === inner
    ? [observeException(findings, head)]
    : [inner, head].map((one) => observeException(findings, one));
}

/** Returns a place with its path in the form shown to readers. */
export function shownPlace({ file, line, function: name }: Location, shown: ShownPath): Location {
  return { file: shown(file), line, function: name };
}
