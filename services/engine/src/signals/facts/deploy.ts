import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { duration, inlineCode } from "../../words/prose.ts";
import { changerOf, nameOf, wentBack } from "../../words/release-names.ts";
import { changedText, isMigrated } from "../change-effect.ts";
import { linked } from "../kind.ts";
import { commitText, shortId } from "./commit.ts";
import { type DeployFact, deploySchema } from "./deploy-fact.ts";
import { factKind, isLater } from "./fact-kind.ts";
import { releaseFix } from "./release-fix.ts";
import type { ReleaseLink } from "./release-link.ts";
import { releaseReason } from "./release-reason.ts";
import { releaseWeights, weighRelease } from "./release-weight.ts";

/** The words for a release that may have caused the failure. */
const releaseLink: LinkWords<ReleaseLink> = {
  what: ({ deploy, change }) =>
    change
      ? `${changerOf(deploy)} ${changedText(change.effect, change.place)}${commitText(change.commit)}, and ${releaseReason(deploy)}`
      : `${nameOf(deploy)} ${releaseReason(deploy)}`,
  fix: releaseFix,
  prevent: ({ deploy: { service, verdict }, change }) => {
    if (change && isMigrated(change.effect))
      return {
        title: "Change the schema in steps: add, switch, remove",
        detail: "Rename or drop a column or table only after no running release uses its old name.",
      };
    return verdict === "suspect"
      ? {
          title: `Roll ${inlineCode(service)} out in stages`,
          detail:
            "Deploy a new release to some of the processes first, and compare their failure rate with the others'.",
        }
      : null;
  },
  confirmedBy: ({ deploy: { service, previous } }) =>
    previous === null ? null : `the failure stops where ${inlineCode(service)} runs ${inlineCode(previous)}`,
  ruledOutBy: ({ deploy: { service, previous, isBack } }) =>
    previous === null
      ? null
      : `the failure continues after ${inlineCode(service)} ${isBack ? "runs" : "is rolled back to"} ${inlineCode(previous)}${isBack ? " again" : ""}`,
};

const fact = factKind({
  name: "deploy",
  means: "A release that a service was given about then, and whether it caused the failure",
  data: z.object({ deploy: deploySchema }),
  example: {
    deploy: {
      service: "orders",
      release: "1.4.2",
      previous: "1.4.1",
      at: "2026-03-01T09:59:34.000Z",
      verdict: "suspect",
      reason: { kind: "only-in-release" },
      firstSeen: "2026-03-01T10:00:00.000Z",
      own: true,
      answeredLast: false,
      counts: { inRelease: 5, inReleaseMinutes: 9, inOthers: 0, inOthersMinutes: 40 },
    },
  },
  evidence: ({ deploy: one }) => {
    const verdict = { suspect: "suspect: it", near: "near:", "ruled-out": "ruled out: it" }[one.verdict];
    const near = one.verdict === "near" ? "it " : "";
    return `${sinceText(one)} is ${verdict} ${near}${releaseReason(one)}`;
  },
  figures: ({ deploy: { at, firstSeen, reason } }) => [
    ...(firstSeen === null ? [] : [duration(Math.abs(Date.parse(firstSeen) - Date.parse(at)))]),
    ...(reason.kind === "more-often" ? [reason.factor.toFixed(0)] : []),
  ],
  isComputed: true,
  problems: ({ deploy: one }) => problemsOf(one),
  isSupport: ({ deploy: { verdict } }) => verdict !== "ruled-out",
  called: ({ deploy: { own, upstream, service } }) =>
    own || upstream ? [] : [{ host: null, service, hasFailed: false, hasAnswered: true }],
  weights: releaseWeights,
  reason: ({ deploy: one }, failure) => ({
    service: one.service,
    release: one.release,
    ...weighRelease(one, failure),
  }),
  predicts: ({ deploy: { own, verdict } }) =>
    own && verdict === "suspect" ? ["only-in-release", "stops-with-release"] : [],
});

export const deploy = linked(fact, releaseLink);

function sinceText(one: DeployFact): string {
  const { at, previous, reported, isStartKnown } = one;
  const isReported = reported?.at === at;
  const back = wentBack(one);
  if (back !== null) return `${back} at ${at}${isReported ? ", as reported" : ""}${builtFrom(one)}. ${nameOf(one)}`;
  const from = previous === null ? "" : `, after ${inlineCode(previous)}`;
  const seen = isStartKnown ? "started at" : "first seen at";
  return `${nameOf(one)} (${isReported ? "reported as live at" : seen} ${at}${from}${builtFrom(one)})`;
}

function builtFrom({ reported }: DeployFact): string {
  const commit = reported?.commit ?? null;
  return commit === null ? "" : `, built from ${shortId(commit)}`;
}

function problemsOf({ verdict, reason, counts, at, firstSeen }: DeployFact): string[] {
  const isAlone = reason.kind === "only-in-release" && counts !== null && counts.inOthers > 0;
  const isElsewhere = reason.kind === "none-in-release" && counts !== null && counts.inRelease > 0;
  const isEarly = reason.kind === "long-after" && firstSeen !== null && isLater(at, firstSeen);
  const isLate = verdict === "suspect" && reason.kind === "soon-after";
  return [
    ...(isAlone ? ["a release has all failures, and others have some"] : []),
    ...(isElsewhere ? ["a release has no failures, and has some"] : []),
    ...(isEarly ? ["a failure long after a release came before it"] : []),
    ...(isLate ? ["a release is suspected for its time alone"] : []),
  ];
}
