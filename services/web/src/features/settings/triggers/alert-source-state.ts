import type { AlertSource } from "@whence/protocol";

/**
 * The state of a source: its secret hasn't been entered yet, no webhook has arrived yet, the last one was accepted, or
 * it was rejected.
 */
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
