import { clockErrorMs } from "@whence/protocol";
import { count, duration, inlineCode } from "../../prose.ts";
import type { DeployFact } from "../../telemetry-facts.ts";
import type { LinkArgs } from "../link.ts";
import type { Insight } from "./insight.ts";

type Args = LinkArgs["release"];

/** The words for a release that may have caused the failure. */
export const release: Insight<Args> = {
  what: ({ deploy }) => `${nameOf(deploy)} ${releaseReason(deploy)}`,
  fix: ({ deploy }) => {
    const { service, previous, verdict } = deploy;
    if (verdict !== "suspect" || previous === null) return null;
    return {
      title: `Roll ${inlineCode(service)} back to ${inlineCode(previous)}`,
      detail: `${nameOf(deploy)} ${releaseReason(deploy)}.`,
    };
  },
  prevent: ({ deploy: { service, verdict } }) =>
    verdict === "suspect"
      ? {
          title: `Roll ${inlineCode(service)} out in stages`,
          detail:
            "Deploy a new release to some of the processes first, and compare their failure rate with the others'.",
        }
      : null,
  confirmedBy: ({ deploy: { service, previous } }) =>
    previous === null ? null : `the failure stops where ${inlineCode(service)} runs ${inlineCode(previous)}`,
  ruledOutBy: ({ deploy: { service, previous } }) =>
    previous === null
      ? null
      : `the failure continues after ${inlineCode(service)} is rolled back to ${inlineCode(previous)}`,
};

/** `` `payments` 2.0.0 ``; a release that is named after its service stands alone. */
export function nameOf({ service, release: name }: Pick<DeployFact, "service" | "release">): string {
  return `${inlineCode(service)} ${versionOf({ service, release: name })}`;
}

/** The part of a release's name that differs among the releases of its service. */
export function versionOf({ service, release: name }: Pick<DeployFact, "service" | "release">): string {
  const version = name.startsWith(`${service}@`) ? name.slice(service.length + 1) : name;
  return /^v?\d[\w.-]{0,30}$/.test(version) ? version : inlineCode(version);
}

/** Why a release is suspected or ruled out, as a predicate. */
export function releaseReason({ reason, at, firstSeen, counts }: DeployFact): string {
  const compared =
    counts === null ? "" : `: ${count(counts.inRelease, "failure")} in it, ${counts.inOthers} in other releases`;
  switch (reason.kind) {
    case "only-in-release":
      return `has all the failures, while the previous release was still running${compared}`;
    case "more-often":
      return `fails ${reason.factor.toFixed(0)} times as often as other releases${compared}`;
    case "soon-after":
      return `${whenReleased(at, firstSeen)}${compared}`;
    case "none-in-release":
      return `has none of the failures${compared}`;
    case "there-before":
      return firstSeen === null
        ? "came after the first failure"
        : `came after the first failure (${firstSeen})${compared}`;
    case "long-after":
      return firstSeen === null
        ? "ran well before"
        : `ran ${duration(Date.parse(firstSeen) - Date.parse(at))} before the first failure${compared}`;
    case "before-death":
      return `was first seen at ${at}, before the silence`;
  }
}

/** The order of a release and a failure, where clocks can tell. */
export function whenReleased(at: string, firstSeen: string | null): string {
  if (firstSeen === null) return `was first seen at ${at}`;
  const afterMs = Date.parse(firstSeen) - Date.parse(at);
  if (afterMs >= 0) return `was first seen ${duration(afterMs)} before the first failure`;
  if (afterMs >= -clockErrorMs)
    return `was first seen ${duration(-afterMs)} after the first failure, too close to tell which came first`;
  return `was first seen ${duration(-afterMs)} after the first failure`;
}
