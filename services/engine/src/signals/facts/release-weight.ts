import type { Category } from "@whence/protocol";
import type { DeployFact } from "./deploy-fact.ts";
import type { FailureView } from "./failure-view.ts";

/** The names of what a release is worth as a sign of a cause. */
export const releaseWeights = [
  ...(["suspectRelease", "nearRelease", "nearReleaseOfSuspect", "nearReleaseOfAsked", "nearReleaseOfAnswer"] as const),
  ...(["nearReleaseOfLastAnswer", "nearReleaseOfEarlierAnswer", "nearReleaseOfAsker", "nearReleaseOfSource"] as const),
  ...(["nearReleaseOfTooManyRequests", "nearReleaseBesideOwn"] as const),
  ...(["changedAnswer", "changedValue", "unchangedAnswer"] as const),
] as const;

type View = FailureView<(typeof releaseWeights)[number]>;

/** What a release is worth, and the category that it speaks for. */
interface Weighed {
  readonly weight: number;
  readonly category: Category | null;
}

const nothing: Weighed = { weight: 0, category: null };
const tooManyRequests = 429;

/** Categories that an answer of another shape leads to. */
const shapeCategories: ReadonlySet<Category> = new Set([
  ...(["null-dereference", "type-mismatch", "schema-drift", "parse-error", "data-validation"] as const),
  ...(["upstream-bad-response", "encoding", "boundary"] as const),
]);

/** What a release is worth as a sign of the cause, by whose it is and what it changed. */
export function weighRelease(one: DeployFact, failure: View): Weighed {
  const { service, release, verdict, own, upstream } = one;
  const { worth, changes } = failure;
  if (verdict === "ruled-out") return nothing;
  const changed = own ? null : changedName(one, failure);
  if (changed === "gone") return { weight: worth.changedAnswer, category: changedAnswer(failure) };
  if (upstream) return upstreamWeight(upstream, failure);
  const category = own || failure.isFailing(service) ? "deploy-regression" : changedAnswer(failure);
  if (own) return { weight: verdict === "suspect" ? worth.suspectRelease : worth.nearRelease, category };
  const asked = askedWeight(one, failure);
  // The changes of a service that fails itself bear on its own failure, which isn't followed here.
  const isElsewhere = !failure.isFailing(service) && (changes.isUnchanged(service, release) || changes.hasOwn);
  if (isElsewhere) return { weight: worth.unchangedAnswer * asked, category: null };
  return { weight: changed === "remade" ? Math.max(asked, worth.changedValue) : asked, category };
}

/** What another service's release did to what this service's code didn't find, or found to be wrong. */
function changedName({ service, release }: DeployFact, { said, isRejected, changes }: View): "gone" | "remade" | null {
  const done = shapeCategories.has(said) || isRejected ? changes.ofName(service, release) : null;
  if (done === null) return null;
  return done === "changed" ? "remade" : "gone";
}

/** A release of the service that asked, or of one whose answer was handed on, when what came from there was refused. */
function upstreamWeight(upstream: "caller" | "source", failure: View): Weighed {
  const { worth, failedStatuses } = failure;
  if (failure.hasOwnRelease) return nothing;
  if (upstream === "caller" && failedStatuses.includes(tooManyRequests))
    return { weight: worth.nearReleaseOfTooManyRequests, category: "deploy-regression" };
  if (!isInputRefused(failure)) return nothing;
  return upstream === "caller"
    ? { weight: worth.nearReleaseOfAsker, category: null }
    : { weight: worth.nearReleaseOfSource, category: "schema-drift" };
}

/** A release of a service that was asked says little unless it fails since, or its answer is what can't be read. */
function askedWeight({ service, answeredLast }: DeployFact, failure: View): number {
  const { worth, said, hasStep } = failure;
  if (failure.isFailing(service)) return worth.nearReleaseOfSuspect;
  if (hasStep("outside-answer") || hasStep("answer-field")) return worth.nearReleaseOfAnswer;
  if (!shapeCategories.has(said)) return 0;
  if (failure.hasOwnRelease) return worth.nearReleaseBesideOwn;
  if (!hasStep("awaited-call", true)) return worth.nearReleaseOfAsked;
  return answeredLast ? worth.nearReleaseOfLastAnswer : worth.nearReleaseOfEarlierAnswer;
}

/** Whether the service refused what it was given, and not what it had asked for. */
function isInputRefused({ failedStatuses, hasRequest, said, isRejected }: View): boolean {
  if (failedStatuses.length > 0 || !hasRequest) return false;
  return said === "unknown" ? isRejected : shapeCategories.has(said);
}

/** After a release whose answer is no longer understood, its shape has changed, unless the error says more. */
function changedAnswer({ said }: View): Category {
  return said === "parse-error" || said === "encoding" || said === "upstream-bad-response" ? said : "schema-drift";
}
