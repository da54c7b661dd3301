import type { Location } from "@whence/protocol";
import type { Findings, LocatedFrame, Observation } from "../findings.ts";
import { observeCode, observeException, observeFrame, observeText } from "../observe.ts";
import type { AnyFact } from "../telemetry-facts.ts";
import type { Thrown } from "./link.ts";
import type { ShownPath } from "./shown-path.ts";

/** The failing service, and its release where that is known. */
export function ownService({ event, incident }: Findings): { service: string | null; release: string | null } {
  return { service: event?.service ?? incident.service, release: event?.release ? event.release : null };
}

/** What the operating system calls the failure: of the innermost error that has a code. */
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

/** The innermost error of the chain; null when none was recognized. */
export function thrownIn({ error }: Findings): Thrown | null {
  const inner = error.exceptions[error.chain.at(-1) ?? -1];
  const [message = ""] = inner?.message.split("\n", 1) ?? [];
  return inner ? { type: inner.type, message } : null;
}

/** `GET /orders/:id`; null when no request was being served. */
export function requestText({ event }: Findings): string | null {
  if (!event?.request) return null;
  const { method, path, route } = event.request;
  return `${method} ${route ?? path}`;
}

/** A frame as printed, and its code. */
export function frameEvidence(frame: LocatedFrame, findings: Findings): Observation<AnyFact>[] {
  const printed = observeFrame(findings, frame);
  return [...(printed ? [printed] : []), ...(frame.place ? [observeCode(findings, frame.place)] : [])];
}

/** The error itself, as printed: the innermost of its chain and the outermost. */
export function failureEvidence(findings: Findings): Observation<AnyFact>[] {
  const { error } = findings;
  const chain = error.chain.flatMap((index) => error.exceptions[index] ?? []);
  const [head, inner] = [chain[0], chain.at(-1)];
  if (!head || !inner) return [observeText(findings)];
  return head === inner
    ? [observeException(findings, head)]
    : [inner, head].map((one) => observeException(findings, one));
}

/** A place with its path as shown. */
export function shownPlace({ file, line, function: name }: Location, shown: ShownPath): Location {
  return { file: shown(file), line, function: name };
}
