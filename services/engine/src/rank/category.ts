import type { Category } from "@whence/protocol";
import type { Clue, Findings, OutgoingCall } from "../findings.ts";

/** How long before an error a call may have ended and still have to do with it. */
const callBeforeErrorMs = 30_000;

/** The category that the error as a whole speaks for: the innermost cause's most telling signature. */
export function categoryOf(findings: Findings): Category {
  const first = findings.signatures[0]?.signature.category;
  if (first !== undefined) return first;
  return isUnhandledRejection(findings) ? "unhandled-rejection" : "unknown";
}

/** Whether a promise was rejected and nobody handled it, by the event or by what Node prints above such an error. */
export function isUnhandledRejection({ event, error, signatures }: Findings): boolean {
  if (event) return event.mechanism.type === "unhandledRejection";
  const head = error.exceptions[error.chain[0] ?? -1];
  return (
    head?.throwSite?.file.startsWith("node:internal/process/promises") === true ||
    signatures.some(({ signature }) => signature.category === "unhandled-rejection") ||
    error.headline.includes("nhandledPromiseRejection")
  );
}

/** Whether somebody waited in vain for what others hold: a lock, a connection, a slot. */
export function isWaiting(findings: Findings): boolean {
  return ["resource-exhaustion", "concurrency"].includes(categoryOf(findings));
}

/** The category of what a clue suggests. */
export function categoryOfClue(clue: Clue, findings: Findings): Category {
  const overall = categoryOf(findings);
  if (clue.kind === "unawaited-call") return "missing-await";
  if (clue.kind === "unreleased-resource") return "resource-exhaustion";
  if (clue.kind === "broken-file") return "parse-error";
  if (clue.how === "computed" && overall === "bad-config" && / \+ /.test(clue.subject)) return "type-mismatch";
  if (clue.how === "environment" || clue.how === "setting") return "bad-config";
  if (clue.how === "overrun") return "boundary";
  if (clue.how === "answer-field" && shapeless.has(overall) && troubledCalls(findings).length === 0)
    return "schema-drift";
  if (isOffByOne(findings)) return "boundary";
  const isShape = overall === "null-dereference" || overall === "type-mismatch";
  if (isShape && isOnTrailTo("incoming-body", clue, findings)) return "data-validation";
  if (isShape && isOnTrailTo("outside-answer", clue, findings))
    return troubledCalls(findings).length > 0 ? "upstream-bad-response" : "schema-drift";
  if (overall === "unknown" && clue.kind === "thrown-by-code") return "data-validation";
  return overall;
}

/** Kinds of failure that a field leads to which an answer no longer has. */
const shapeless: ReadonlySet<Category> = new Set(["null-dereference", "type-mismatch", "data-validation", "unknown"]);

/** Whether the value came from outside by way of this step: the trail goes on from here to where it was read. */
function isOnTrailTo(source: "outside-answer" | "incoming-body", clue: Clue, { clues }: Findings): boolean {
  if (clue.how === null) return false;
  return clues.some((other) => other.how === source && other.steps >= clue.steps);
}

/** Whether a length was refused that the code has made one larger or smaller; others come from input that nobody checked. */
function isOffByOne({ signatures, clues }: Findings): boolean {
  if (signatures[0]?.signature.id !== "node.array-length") return false;
  return clues.some(({ how, subject }) => how === "computed" && /[-+] 1$/.test(subject));
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
