import type { Category } from "@whence/protocol";
import type { DeployFact } from "./deploy-fact.ts";
import type { FailureView } from "./failure-view.ts";

/** The names of the weights of a release. */
export const releaseWeights = [
  ...(["suspectRelease", "nearRelease", "nearReleaseOfSuspect", "nearReleaseOfAsked", "nearReleaseOfAnswer"] as const),
  ...(["nearReleaseOfLastAnswer", "nearReleaseOfEarlierAnswer", "nearReleaseOfAsker", "nearReleaseOfSource"] as const),
  ...(["nearReleaseOfTooManyRequests", "nearReleaseBesideOwn"] as const),
  ...(["changedAnswer", "changedValue", "unchangedAnswer"] as const),
] as const;

type View = FailureView<(typeof releaseWeights)[number]>;

/** The weight of a release, and the category that it suggests. */
interface Weighed {
  readonly weight: number;
  readonly category: Category | null;
}

const nothing: Weighed = { weight: 0, category: null };
const tooManyRequests = 429;

/** Categories that a response of a different shape leads to. */
const shapeCategories: ReadonlySet<Category> = new Set([
  ...(["null-dereference", "type-mismatch", "schema-drift", "parse-error", "data-validation"] as const),
  ...(["upstream-bad-response", "encoding", "boundary"] as const),
]);

/** Returns the weight of a release as the cause, by the service that it belongs to and what it changed. */
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
  // A change in a service that fails itself bears on that service's own failure, which isn't followed here.
  const isElsewhere = !failure.isFailing(service) && (changes.isUnchanged(service, release) || changes.hasOwn);
  if (isElsewhere) return { weight: worth.unchangedAnswer * asked, category: null };
  return { weight: changed === "remade" ? Math.max(asked, worth.changedValue) : asked, category };
}

/** Returns what another service's release did to a name that this service's code didn't find or found to be wrong. */
function changedName({ service, release }: DeployFact, { said, isRejected, changes }: View): "gone" | "remade" | null {
  const done = shapeCategories.has(said) || isRejected ? changes.ofName(service, release) : null;
  if (done === null) return null;
  return done === "changed" ? "remade" : "gone";
}

/**
 * Weighs a release of the calling service, or of one whose response was passed on, when what came from there was
 * rejected.
 */
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

/**
 * Weighs a release of a called service, which says little unless the service fails since, or its response can't be
 * read.
 */
function askedWeight({ service, answeredLast }: DeployFact, failure: View): number {
  const { worth, said, hasStep } = failure;
  if (failure.isFailing(service)) return worth.nearReleaseOfSuspect;
  if (hasStep("outside-answer") || hasStep("answer-field")) return worth.nearReleaseOfAnswer;
  if (!shapeCategories.has(said)) return 0;
  if (failure.hasOwnRelease) return worth.nearReleaseBesideOwn;
  if (!hasStep("awaited-call", true)) return worth.nearReleaseOfAsked;
  return answeredLast ? worth.nearReleaseOfLastAnswer : worth.nearReleaseOfEarlierAnswer;
}

/** Returns whether the service rejected its own input, rather than a response that it had requested. */
function isInputRefused({ failedStatuses, hasRequest, said, isRejected }: View): boolean {
  if (failedStatuses.length > 0 || !hasRequest) return false;
  return said === "unknown" ? isRejected : shapeCategories.has(said);
}

/** When a response isn't understood after a release, its shape has changed, unless the error says more. */
function changedAnswer({ said }: View): Category {
  return said === "parse-error" || said === "encoding" || said === "upstream-bad-response" ? said : "schema-drift";
}
