import type { Category } from "@whence/protocol";
import type { Clue, Findings, OutgoingCall } from "../findings.ts";

/** How long before an error a call may have ended and still have to do with it. */
const callBeforeErrorMs = 30_000;

/** The category that the error as a whole speaks for: the innermost cause's most telling signature. */
export function categoryOf(findings: Findings): Category {
  const mechanism = findings.event?.mechanism.type;
  const first = findings.signatures[0]?.signature.category;
  if (first !== undefined) return first;
  return mechanism === "unhandledRejection" ? "unhandled-rejection" : "unknown";
}

/** The category of what a clue suggests. */
export function categoryOfClue(clue: Clue, findings: Findings): Category {
  const overall = categoryOf(findings);
  if (clue.kind === "unawaited-call") return "missing-await";
  if (clue.kind === "unreleased-resource") return "resource-exhaustion";
  if (clue.how === "environment") return "bad-config";
  const isShape = overall === "null-dereference" || overall === "type-mismatch";
  if (isShape && isOnTrailOfAnswer(clue, findings))
    return troubledCalls(findings).length > 0 ? "upstream-bad-response" : "schema-drift";
  if (overall === "unknown" && clue.kind === "thrown-by-code") return "data-validation";
  return overall;
}

/** Whether the value came from outside by way of this step: the trail goes on from here to an answer. */
function isOnTrailOfAnswer(clue: Clue, { clues }: Findings): boolean {
  if (clue.how === null) return false;
  return clues.some((other) => other.how === "outside-answer" && other.steps >= clue.steps);
}

/** Outgoing calls shortly before the error that failed or were refused, the latest first. */
export function troubledCalls(findings: Findings): OutgoingCall[] {
  return recentCalls(findings).filter(({ trouble }) => trouble !== null);
}

/** Outgoing calls shortly before the error, the latest first. */
export function recentCalls({ event }: Findings): OutgoingCall[] {
  if (!event) return [];
  const failedAt = Date.parse(event.at);
  return event.calls.filter(({ at }) => failedAt - Date.parse(at) <= callBeforeErrorMs).toReversed();
}
