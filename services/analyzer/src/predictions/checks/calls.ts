import type { Circumstances, RecordedCall } from "@whence/storage";
import { callBeforeErrorMs } from "../../investigation/rank/category.ts";

/** Answers from here on are refusals. */
const refusedFrom = 400;

/** Whether the call failed or was refused. */
export function isTroubled({ statusCode, error }: RecordedCall): boolean {
  return error !== null || (statusCode !== null && statusCode >= refusedFrom);
}

/** Whether the call went to this host. */
export function isTo(host: string): (call: RecordedCall) => boolean {
  return ({ url }) => (URL.parse(url)?.host ?? url) === host;
}

/** Whether a call to the host failed shortly before the event. */
export function hasFailedCall({ at, calls }: Circumstances, host: string): boolean {
  const failedAt = Date.parse(at);
  return calls
    .filter(isTo(host))
    .some((call) => isTroubled(call) && failedAt - Date.parse(call.at) <= callBeforeErrorMs);
}
