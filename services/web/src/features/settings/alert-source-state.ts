import type { AlertSource } from "@whence/protocol";

/** Whether its secret is still to be entered, no webhook arrived yet, the last one was accepted, or it was refused. */
export type AlertSourceState = "unfinished" | "waiting" | "receiving" | "failing";

export function alertSourceState({
  missing,
  failed,
  received_at: received,
}: Pick<AlertSource, "missing" | "failed" | "received_at">): AlertSourceState {
  if (missing.length > 0) return "unfinished";
  if (failed !== null && (received === null || failed.at > received)) return "failing";
  return received === null ? "waiting" : "receiving";
}
