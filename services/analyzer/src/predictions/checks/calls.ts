import type { Circumstances, RecordedCall } from "@whence/storage";
import { placeOf } from "../../collectors/addresses.ts";
import { callsBefore, ordinaryDurations, troubleOf } from "../../collectors/failed-call.ts";

/** Responses with this status or above are refusals, whichever side caused them. */
const refusedFrom = 400;

/** Returns whether the call went to this host: name and port, as in its URL. */
export function isTo(host: string): (call: RecordedCall) => boolean {
  return (call) => placeOf(call).host === host;
}

/** Returns whether the call succeeded. */
export function isAnswered({ statusCode, error }: RecordedCall): boolean {
  return error === null && statusCode !== null && statusCode < refusedFrom;
}

/** Returns whether a call to the host failed, was refused, or went unanswered shortly before the event. */
export function hasFailedCall({ at, calls }: Circumstances, host: string): boolean {
  const noneOrdinary = ordinaryDurations([]);
  return callsBefore(calls.filter(isTo(host)), at).some(
    (call) => troubleOf(call, at, noneOrdinary) !== null || (call.statusCode ?? 0) >= refusedFrom,
  );
}
