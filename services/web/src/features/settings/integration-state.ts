import type { Integration } from "@whence/protocol";

/** Whether it gave nothing the last time that it was asked. */
export function isFailing({ failed, answered_at }: Pick<Integration, "failed" | "answered_at">): boolean {
  return failed !== null && (answered_at === null || failed.at > answered_at);
}
