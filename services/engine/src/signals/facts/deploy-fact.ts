import { z } from "zod";

/** Failures in a release and in the others, and for how many minutes processes of each ran. */
const countsSchema = z
  .object({
    inRelease: z.number(),
    inReleaseMinutes: z.number(),
    inOthers: z.number(),
    inOthersMinutes: z.number(),
  })
  .readonly();

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

/** The arguments of a release that a service was given about the time of a failure. */
export const deploySchema = z
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
