import { type Category, type ChangeEvent, changeEventSchema } from "@whence/protocol";
import { inlineCode } from "../../words/prose.ts";
import type { CalledPlace } from "../facts/fact-kind.ts";
import { linked } from "../kind.ts";
import { changeEventLink } from "./change-event-link.ts";
import { outsideKind } from "./outside-kind.ts";
import { isUnreached, type OutsideView, type Weighed, weightless } from "./outside-view.ts";
import { personText } from "./person.ts";

const finding = outsideKind({
  name: "change-event",
  means: "Something that someone changed: a deployment, a setting, DNS, a firewall, a feature flag",
  data: changeEventSchema,
  example: {
    kind: "change-event",
    what: "deployment",
    title: "Deploy 1.4.2",
    target: "orders",
    at: "2026-03-01T09:50:00.000Z",
    by: "Ada",
    failed: null,
  },
  evidence: ({ vendor, ...change }) => `${vendor}: ${changeText(change)}`,
  weights: [
    ...(["ownDeployment", "ownDeploymentOfRelease", "ownSetting", "ownFirewall"] as const),
    ...(["calledDeployment", "calledDeploymentOfAnswer", "calledName", "calledNameAnswered"] as const),
  ],
  weigh: (change, relation, failure) => {
    const { weight, category } =
      relation.kind === "called" ? weighCalled(change, relation.place, failure) : weighOwn(change, failure);
    return { weight: change.failed === true ? weight * failure.weights.failed[change.what] : weight, category };
  },
});

export const changeEvent = linked(finding, changeEventLink);

const changes: Readonly<Record<ChangeEvent["what"], string>> = {
  deployment: "deployment",
  release: "release",
  rollout: "rollout",
  configuration: "configuration change",
  dns: "DNS change",
  firewall: "firewall change",
  "feature-flag": "feature flag change",
};

function changeText({ what, title, target, at, by, failed }: ChangeEvent): string {
  const outcome = failed ? "failed " : "";
  const of = target === null ? "" : ` of ${inlineCode(target)}`;
  const who = by === null ? "" : ` by ${personText(by)}`;
  return `${outcome}${changes[what]}${of} at ${at}${who}: ${inlineCode(title)}`;
}

function weighOwn(change: ChangeEvent, failure: OutsideView): Weighed {
  const { worth } = failure.weights;
  switch (change.what) {
    case "deployment":
    case "release":
    case "rollout":
      return { weight: deploymentWeight(change, failure), category: "deploy-regression" };
    case "configuration":
      return { weight: worth.ownSetting, category: settingCategory(failure) };
    case "feature-flag":
      return { weight: worth.ownSetting, category: failure.said === "unknown" ? "deploy-regression" : null };
    case "firewall":
      return isUnreached(failure.said) ? { weight: worth.ownFirewall, category: failure.said } : weightless;
    case "dns":
      return weightless;
  }
}

function settingCategory({ said }: OutsideView): Category | null {
  return said === "unknown" ? "bad-config" : null;
}

function deploymentWeight(change: ChangeEvent, { release, ownReleases, weights }: OutsideView): number {
  const { worth, factors } = weights;
  if (ownReleases.some((one) => one.isRuledOut && isSame(change, one))) return worth.ownDeployment * factors.ruledOut;
  return names(change, release) ? worth.ownDeploymentOfRelease : worth.ownDeployment;
}

/** A release is first seen when its processes report, some time after it was deployed. */
const seenWithinMs = 1_800_000;

/**
 * Returns whether a deployment and a release seen in telemetry are the same: the deployment names the release, or came
 * shortly before it and names none.
 */
function isSame(change: ChangeEvent, { release, at }: { readonly release: string; readonly at: string }): boolean {
  if (names(change, release)) return true;
  const laterMs = Date.parse(at) - Date.parse(change.at);
  return laterMs >= 0 && laterMs <= seenWithinMs;
}

const shortCommitLength = 7;

/** Returns whether a change names a release: as a word, or as a commit by the start of its ID. */
function names({ title, target }: ChangeEvent, release: string): boolean {
  if (release === "") return false;
  const version = release.slice(release.lastIndexOf("@") + 1).toLowerCase();
  const words = `${title} ${target ?? ""}`
    .toLowerCase()
    .split(/[^\w.+-]+/)
    .map((word) => word.replace(/^v(?=\d)|\.$/g, ""));
  const isCommit = (word: string): boolean =>
    word.length >= shortCommitLength && /^[\da-f]+$/.test(word) && version.startsWith(word);
  return words.some((word) => word === version.replace(/^v(?=\d)/, "") || isCommit(word));
}

/** Categories that a response of a different shape leads to. */
const ofAnswers: ReadonlySet<Category> = new Set<Category>([
  ...(["null-dereference", "type-mismatch", "schema-drift", "parse-error", "data-validation", "encoding"] as const),
  "upstream-bad-response",
]);

function weighCalled({ what }: ChangeEvent, place: CalledPlace, { said, weights: { worth } }: OutsideView): Weighed {
  if (what === "dns" || what === "firewall") {
    if (!place.hasFailed) return weightless;
    if (place.hasAnswered) return { weight: worth.calledNameAnswered, category: "upstream-bad-response" };
    const category = isUnreached(said) ? said : "network-unreachable";
    return { weight: worth.calledName, category };
  }
  if (place.hasFailed) return { weight: worth.calledDeployment, category: "deploy-regression" };
  return ofAnswers.has(said) ? { weight: worth.calledDeploymentOfAnswer, category: "schema-drift" } : weightless;
}
