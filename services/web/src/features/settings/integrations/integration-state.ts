import type { Integration } from "@whence/protocol";

/** Returns whether the last query failed. */
export function isFailing({ failed, answered_at }: Pick<Integration, "failed" | "answered_at">): boolean {
  return failed !== null && (answered_at === null || failed.at > answered_at);
}
