import type { Category } from "@whence/protocol";
import type { EventFacts } from "../findings/event-facts.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import type { SignatureMatch } from "../findings/signature.ts";
import { isUnhandledRejection } from "../findings/unhandled-rejection.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import { troubledCalls } from "../signals/related-calls.ts";
import { type AnyCodeSignal, categoryOfKinds } from "../signals/signal.ts";

/** The evidence for the category of a failure. */
export interface CategoryEvidence {
  /** From {@link categoryOfError}; the same for every candidate. */
  readonly said: Category;
  readonly event: EventFacts | null;
  readonly signals: readonly AnyCodeSignal[];
}

/** Categories that say only what was wrong with a value, not how it came about. */
const shapes: ReadonlySet<Category> = new Set(["null-dereference", "type-mismatch", "data-validation", "unknown"]);

/** Returns the category that the error's own words and codes suggest, before any code is read. */
export function categoryOfError({
  signatures,
  error,
  event,
}: {
  readonly signatures: readonly SignatureMatch[];
  readonly error: ParsedError;
  readonly event: EventFacts | null;
}): Category {
  const known = signatures[0]?.signature.category;
  if (known !== undefined) return known;
  return isUnhandledRejection(error, event) ? "unhandled-rejection" : "unknown";
}

/** Returns the category, given what the code shows at the place of the presumed cause. */
export function categoryAt(signals: readonly AnyCodeSignal[], evidence: CategoryEvidence): Category {
  const overall = evidence.said;
  const own = categoryOfKinds(signals, overall);
  if (own !== null) return own;
  if (overall === "unhandled-rejection" && evidence.signals.some(isForgotten)) return "missing-await";
  if (!shapes.has(overall)) return overall;
  const comesFrom = (how: ValueSource): boolean =>
    evidence.signals.some((signal) => signal.kind === "value-step" && signal.args.how === how);
  const isFrom = (how: ValueSource): boolean =>
    signals.some((signal) => signal.kind === "value-step" && signal.args.how === how && !signal.args.isUnread);
  if (signals.some(isDoubtfulVariable) || isFrom("setting")) return "bad-config";
  if (isFrom("overrun")) return "boundary";
  const isOfAnswer = isFrom("answer-field") || (comesFrom("outside-answer") && overall !== "unknown");
  if (isOfAnswer && troubledCalls(evidence.event).length > 0) return "upstream-bad-response";
  // What came from another service was there, and of the type that it should have. Files come with the program.
  const isOfService = isOfAnswer && evidence.signals.some(isFromService);
  if (isFrom("answer-field") || (isOfService && overall === "null-dereference")) return "schema-drift";
  if (comesFrom("incoming-body") && overall !== "unknown") return "data-validation";
  if (overall === "unknown" && evidence.signals.some(({ kind, steps }) => kind === "deliberate-throw" && steps === 0))
    return "data-validation";
  return overall;
}

/** Returns whether a variable is read that may be unset or wrong: a call that took it and returned has accepted it. */
function isDoubtfulVariable({ kind, args, towards }: AnyCodeSignal): boolean {
  if (kind !== "value-step" || args.how !== "environment") return false;
  const isTaken =
    towards?.kind === "value-step" && (towards.args.how === "call" || towards.args.how === "awaited-call");
  return !(args.isSet && isTaken);
}

function isFromService({ kind, args }: AnyCodeSignal): boolean {
  return kind === "value-step" && args.how === "outside-answer" && !readsFile.test(args.code);
}

/** Calls of JavaScript, Python, Ruby, and Java that read a file. */
const readsFile = /\b(?:readFile(?:Sync)?|read_text|read_bytes|readlines?|open|File\.read|readString|readAllLines)\b/;

function isForgotten(signal: AnyCodeSignal): boolean {
  return signal.kind === "missing-await" && signal.args.how === "forgotten";
}
