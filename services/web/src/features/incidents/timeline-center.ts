import type { Incident } from "@whence/protocol";
import type { Happening } from "./timeline-entries.ts";

/** The time that everything else is compared with. */
export interface TimelineCenter {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly name: "error" | "last heartbeat";
}

/**
 * Returns the last error that the report cites or, for processes that stopped reporting, their last heartbeat, which is
 * long before the exit was noticed.
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
