import { z } from "zod";
import { bytes, duration, percent } from "../../words/prose.ts";

const share = z.object({ at: z.string(), usedBytes: z.number(), limitBytes: z.number() });

/** What heartbeats say about how a process may have ended. Units are bytes, milliseconds, and RFC 3339 times. */
export const exitReasonSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("main-thread-blocked"), at: z.string(), blockedMs: z.number() }),
    z.object({ kind: z.literal("loop-delay"), at: z.string(), delayMs: z.number(), isLate: z.boolean() }),
    z.object({ kind: z.literal("no-loop-readings") }),
    share.extend({ kind: z.literal("heap-share") }),
    share.extend({ kind: z.literal("container-share") }),
    /** How memory changed from the first reading to the last. */
    z.object({
      kind: z.literal("memory-course"),
      of: z.enum(["heap", "process"]),
      since: z.string(),
      until: z.string(),
      fromBytes: z.number(),
      toBytes: z.number(),
      isClimb: z.boolean(),
    }),
    z.object({ kind: z.literal("no-memory-readings") }),
    z.object({ kind: z.literal("no-readings") }),
    /** Memory and event loop were healthy. */
    z.object({ kind: z.literal("healthy") }),
    /** A signal can end a process in any state. */
    z.object({ kind: z.literal("any-state") }),
    /** A connected third party saw the kernel or the orchestrator kill it. */
    z.object({ kind: z.literal("reported-kill"), vendor: z.string(), at: z.string() }),
    /** A rollout ends the processes that it replaces. */
    z.object({ kind: z.literal("rollout"), vendor: z.string(), at: z.string() }),
  ])
  .readonly();
export type ExitReason = z.output<typeof exitReasonSchema>;

/** Returns what heartbeats say about how a process ended, as a clause. */
export function exitReason(reason: ExitReason): string {
  switch (reason.kind) {
    case "main-thread-blocked":
      return `the main thread had been blocked for ${duration(reason.blockedMs)} at ${reason.at}`;
    case "loop-delay":
      return `the event loop was ${Math.round(reason.delayMs)} ms late at ${reason.at}${reason.isLate ? "" : ", and no blocked main thread was reported"}`;
    case "no-loop-readings":
      return "no heartbeat reports the event loop";
    case "heap-share":
      return `the heap was at ${percent(reason.usedBytes / reason.limitBytes)} of its limit (${bytes(reason.usedBytes)} of ${bytes(reason.limitBytes)}) at ${reason.at}`;
    case "container-share":
      return `the process used ${percent(reason.usedBytes / reason.limitBytes)} of the container's memory (${bytes(reason.usedBytes)} of ${bytes(reason.limitBytes)}) at ${reason.at}`;
    case "memory-course":
      return `memory of the ${reason.of} ${reason.isClimb ? "grew" : "went"} from ${bytes(reason.fromBytes)} to ${bytes(reason.toBytes)} between ${reason.since} and ${reason.until}`;
    case "no-memory-readings":
      return "no heartbeat reports memory";
    case "no-readings":
      return "no heartbeat of this process is kept";
    case "healthy":
      return "nothing points to memory or the event loop; a signal from outside (SIGKILL, or SIGTERM without a handler) ends a healthy process without a report";
    case "reported-kill":
      return `${reason.vendor} reports that it was killed for using too much memory at ${reason.at}`;
    case "rollout":
      return `${reason.vendor} reports a rollout at ${reason.at}, which replaces processes`;
    case "any-state":
      return "a signal from outside can end a process in any state";
  }
}

/** Returns the figures that the words of a reason compute. */
export function figuresOfReason(reason: ExitReason): readonly (string | number)[] {
  switch (reason.kind) {
    case "main-thread-blocked":
      return [duration(reason.blockedMs)];
    case "loop-delay":
      return [Math.round(reason.delayMs)];
    case "heap-share":
    case "container-share":
      return [percent(reason.usedBytes / reason.limitBytes), bytes(reason.usedBytes), bytes(reason.limitBytes)];
    case "memory-course":
      return [bytes(reason.fromBytes), bytes(reason.toBytes)];
    default:
      return [];
  }
}
