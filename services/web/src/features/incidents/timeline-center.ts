import type { Incident } from "@whence/protocol";
import type { Happening } from "./timeline-entries.ts";

/** The moment that everything else came before or after. */
export interface TimelineCenter {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly name: "error" | "last heartbeat";
}

/**
 * The last error that the report cites; of processes that stopped reporting, when they last reported, which is long before
 * anybody noticed.
 */
export function timelineCenter(
  entries: readonly Happening[],
  { created_at: opened, report, trigger }: Pick<Incident, "created_at" | "report" | "trigger">,
): TimelineCenter {
  const error =
    entries.find(({ kind, evidenceId }) => kind === "error" && evidenceId !== null) ??
    entries.find(({ kind }) => kind === "error");
  if (!error && trigger.kind === "process-exit") {
    return { at: Date.parse(report?.impact.last_seen ?? opened), name: "last heartbeat" };
  }
  return { at: Date.parse(error?.at ?? opened), name: "error" };
}
