import type { Location } from "@whence/protocol";
import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { duration, inlineCode } from "../../words/prose.ts";
import { changerOf, nameOf, wentBack } from "../../words/release-names.ts";
import { type ChangeEffect, changedText } from "../change-effect.ts";
import { commitText, shortId } from "./commit.ts";
import { factKind, isLater } from "./fact-kind.ts";
import type { ReleaseChange } from "./release-change.ts";
import { releaseReason } from "./release-reason.ts";
import { releaseWeights, weighRelease } from "./release-weight.ts";

const countsSchema = z
  .object({
    inRelease: z.number(),
    inReleaseMinutes: z.number(),
    inOthers: z.number(),
    inOthersMinutes: z.number(),
  })
  .readonly();

/** Failures in a release and in the others, and for how many minutes processes of each ran. */
export type ReleaseCounts = z.output<typeof countsSchema>;

const reasonSchema = z.discriminatedUnion("kind", [
  /** All failures are in it, while the one before ran beside it. */
  z.object({ kind: z.literal("only-in-release") }),
  z.object({ kind: z.literal("more-often"), factor: z.number() }),
  /** The failure began soon after, or so shortly before that clocks can't tell. */
  z.object({ kind: z.literal("soon-after") }),
  z.object({ kind: z.literal("none-in-release") }),
  z.object({ kind: z.literal("there-before") }),
  z.object({ kind: z.literal("long-after") }),
  /** It was replaced, and is back: the failures are those before and after, and none is in the release between. */
  z.object({ kind: z.literal("back-with-it") }),
  /** One of its processes stopped reporting. */
  z.object({ kind: z.literal("before-exit") }),
]);

const deploySchema = z
  .object({
    service: z.string(),
    release: z.string(),
    previous: z.string().nullable(),
    /** When its first process started, it was first seen, or it was reported as live, whichever was earliest. RFC 3339. */
    at: z.string(),
    /** Whether the start of its first process is known, by its uptime. */
    isStartKnown: z.boolean().exactOptional(),
    /** Whether it was live before `previous`, and is live again since `at`. */
    isBack: z.boolean().exactOptional(),
    /** What was reported when it went live; absent when nothing was. */
    reported: z
      .object({ at: z.string(), commit: z.string().nullable(), url: z.string().nullable() })
      .readonly()
      .exactOptional(),
    /** `suspect`: the failures are in it alone, or many times as often; `near`: they began soon after; or ruled out. */
    verdict: z.enum(["suspect", "near", "ruled-out"]),
    reason: reasonSchema.readonly(),
    /** When the failure began, by `began`. RFC 3339; null for a process exit. */
    firstSeen: z.string().nullable(),
    /**
     * What began at `firstSeen`: absent for the failure itself, when it was first seen; it was `announced`, some time
     * after it began; or it `rose` in that minute, having been rarer before.
     */
    began: z.enum(["announced", "rose"]).exactOptional(),
    /** Failures by release; null for another service's. */
    counts: countsSchema.nullable(),
    /** Whether it is the failing service's own. */
    own: z.boolean(),
    /** Whether the last answer before the failure was this service's. */
    answeredLast: z.boolean(),
    /** It called the failing service in the same traces, or had answered the caller; absent for one that is called. */
    upstream: z.enum(["caller", "source"]).exactOptional(),
  })
  .readonly();

/** A release that a service was given about then, and whether it caused the failure. */
export type DeployFact = z.output<typeof deploySchema>;

/** What is known of a failure's beginning, other than when it was first seen. */
export type LaterBeginning = NonNullable<DeployFact["began"]>;

/** What a release changed, with its place as it is shown. */
export interface ShownChange {
  readonly effect: ChangeEffect;
  readonly place: Location;
  readonly commit: ReleaseChange["commit"];
}

/** What the words for a release are made from. */
export interface ReleaseLink {
  readonly deploy: DeployFact;
  /** What it changed that bears on the failure, or all that it changed; null where that isn't known. */
  readonly change: ShownChange | null;
}

/** The words for a release that may have caused the failure. */
export const releaseLink: LinkWords<ReleaseLink> = {
  what: ({ deploy, change }) =>
    change
      ? `${changerOf(deploy)} ${changedText(change.effect, change.place)}${commitText(change.commit)}, and ${releaseReason(deploy)}`
      : `${nameOf(deploy)} ${releaseReason(deploy)}`,
  fix: ({ deploy }) => {
    const { service, previous, verdict } = deploy;
    if (verdict !== "suspect" || previous === null) return null;
    return {
      title: deploy.isBack
        ? `Deploy ${inlineCode(previous)} of ${inlineCode(service)} again`
        : `Roll ${inlineCode(service)} back to ${inlineCode(previous)}`,
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
  ruledOutBy: ({ deploy: { service, previous, isBack } }) =>
    previous === null
      ? null
      : `the failure continues after ${inlineCode(service)} ${isBack ? "runs" : "is rolled back to"} ${inlineCode(previous)}${isBack ? " again" : ""}`,
};

export const deploy = factKind({
  name: "deploy",
  means: "A release that a service was given about then, and whether it caused the failure",
  data: z.object({ deploy: deploySchema }),
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
  link: releaseLink,
});

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
