import { count, duration, inlineCode } from "../../words/prose.ts";
import { comesAfter, failureMoment, releaseMoment } from "../time-order.ts";
import type { DeployFact, LaterBeginning } from "./deploy-fact.ts";

/** Returns why a release is suspect or ruled out, as a predicate. */
export function releaseReason(deploy: DeployFact): string {
  const { reason, at, firstSeen, counts } = deploy;
  const failure = failureNoun(deploy);
  const compared =
    counts === null ? "" : `: ${count(counts.inRelease, "failure")} in it, ${counts.inOthers} in other releases`;
  switch (reason.kind) {
    case "only-in-release":
      return `has all the failures, while the previous release was still running${compared}`;
    case "more-often":
      return `fails ${reason.factor.toFixed(0)} times as often as other releases${compared}`;
    case "soon-after":
      return `${whenReleased(deploy)}${compared}`;
    case "none-in-release":
      return `has none of the failures${compared}`;
    case "there-before":
      return firstSeen === null ? `came after ${failure}` : `came after ${failure} (${firstSeen})${compared}`;
    case "long-after":
      return firstSeen === null
        ? "ran well before"
        : `ran ${duration(Date.parse(firstSeen) - Date.parse(at))} before ${failure}${compared}`;
    case "back-with-it": {
      const between = deploy.previous === null ? "the release between" : inlineCode(deploy.previous);
      return `${began(deploy)} at ${at} and has all the failures, from before and after ${between}${compared}`;
    }
    case "before-exit":
      return `${began(deploy)} at ${at}, before the process ended`;
  }
}

type ReleaseTime = Pick<DeployFact, "at" | "reported" | "isStartKnown" | "isBack">;

/**
 * Returns how the time of a release is known: it `went live` by a report, its first process `started`, or it `was first
 * seen`.
 */
function began({ at, reported, isStartKnown, isBack }: ReleaseTime): string {
  if (reported?.at === at) return isBack ? "went live again" : "went live";
  if (isBack) return isStartKnown ? "started again" : "was seen again";
  return isStartKnown ? "started" : "was first seen";
}

/** Clients round their uptime to seconds, so a start and a failure closer than this have no order. */
const startPrecisionMs = 1_000;

/** Returns the order of a release and a failure, where clocks can tell. */
export function whenReleased(deploy: ReleaseTime & Pick<DeployFact, "firstSeen" | "began">): string {
  const { at, firstSeen, began: beginning } = deploy;
  if (firstSeen === null) return `${began(deploy)} at ${at}`;
  const afterMs = Date.parse(firstSeen) - Date.parse(at);
  const failure = failureNoun(deploy);
  const isStart = deploy.isStartKnown === true && deploy.reported?.at !== at;
  if (isStart && Math.abs(afterMs) < startPrecisionMs) return `${began(deploy)} within a second of ${failure}`;
  if (afterMs >= 0) return `${began(deploy)} ${duration(afterMs)} before ${failure}`;
  if (!comesAfter(releaseMoment(deploy), failureMoment({ firstSeen, ...(beginning && { began: beginning }) })))
    return `${began(deploy)} ${duration(-afterMs)} after ${failure}, too close to tell which came first`;
  return `${began(deploy)} ${duration(-afterMs)} after ${failure}`;
}

function failureNoun({ began: beginning }: Pick<DeployFact, "began">): string {
  return beginning === undefined ? "the first failure" : laterNouns[beginning];
}

const laterNouns: Readonly<Record<LaterBeginning, string>> = {
  announced: "the failure was reported",
  rose: "the failure rate rose",
};
