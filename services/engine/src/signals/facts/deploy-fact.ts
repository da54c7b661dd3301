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
  /** All failures are in it, while the previous one ran next to it. */
  z.object({ kind: z.literal("only-in-release") }),
  z.object({ kind: z.literal("more-often"), factor: z.number() }),
  /** The failure began soon after it, or so shortly before it that clocks can't tell. */
  z.object({ kind: z.literal("soon-after") }),
  z.object({ kind: z.literal("none-in-release") }),
  z.object({ kind: z.literal("there-before") }),
  z.object({ kind: z.literal("long-after") }),
  /** It was replaced and is back: failures occurred before and after, but none in the release between. */
  z.object({ kind: z.literal("back-with-it") }),
  /** One of its processes stopped reporting. */
  z.object({ kind: z.literal("before-exit") }),
]);

/** The arguments of a release that went live around the time of a failure. */
export const deploySchema = z
  .object({
    service: z.string(),
    release: z.string(),
    previous: z.string().nullable(),
    /**
     * When its first process started, when it was first seen, or when it was reported as live, whichever was earliest.
     * RFC 3339.
     */
    at: z.string(),
    /** Whether the start of its first process is known, from its uptime. */
    isStartKnown: z.boolean().exactOptional(),
    /** Whether it was live before `previous`, and is live again since `at`. */
    isBack: z.boolean().exactOptional(),
    /** What was reported when it went live; absent without a report. */
    reported: z
      .object({ at: z.string(), commit: z.string().nullable(), url: z.string().nullable() })
      .readonly()
      .exactOptional(),
    /**
     * `suspect`: the failures are only in it, or many times as frequent; `near`: they began soon after it; or ruled
     * out.
     */
    verdict: z.enum(["suspect", "near", "ruled-out"]),
    reason: reasonSchema.readonly(),
    /** When the failure began, in the sense of `began`. RFC 3339; null for a process exit. */
    firstSeen: z.string().nullable(),
    /**
     * What happened at `firstSeen`. Absent: the failure was first seen. `announced`: it was announced, some time after
     * it began. `rose`: it became more frequent in that minute.
     */
    began: z.enum(["announced", "rose"]).exactOptional(),
    /** Failures by release; null for a release of another service. */
    counts: countsSchema.nullable(),
    /**
     * How many process-minutes the previous release ran without the failure, for one that has all the failures, and
     * whether it would almost surely have shown it by then. Absent where that isn't known.
     */
    previousRan: z.object({ minutes: z.number(), isLong: z.boolean() }).exactOptional(),
    /** Whether it is a release of the failing service. */
    own: z.boolean(),
    /** Whether the last response before the failure came from this service. */
    answeredLast: z.boolean(),
    /**
     * Whether it called the failing service in the same traces, or had answered the caller; absent for a service that
     * the failing one calls.
     */
    upstream: z.enum(["caller", "source"]).exactOptional(),
  })
  .readonly();

/** A release that went live around the time of a failure, and whether it caused it. */
export type DeployFact = z.output<typeof deploySchema>;

/** How a failure's beginning is known, other than by when it was first seen. */
export type LaterBeginning = NonNullable<DeployFact["began"]>;
