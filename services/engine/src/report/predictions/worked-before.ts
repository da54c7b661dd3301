import type { Findings } from "../../findings/findings.ts";
import type { Candidate } from "../../rank/candidate.ts";
import type { OutgoingCall } from "../../signals/inputs/call.ts";
import { isAnswered } from "../../signals/read-answers.ts";
import { kindOf } from "../../signals/signal.ts";

/** How much of a message is searched for what it speaks of. */
export const messageUnitsRead = 2_000;

/**
 * Returns whether a restart with the same settings may obtain again what has ended since the process started: a
 * credential that it keeps, or a token or a session that the same place accepted earlier in the process.
 */
export function workedBefore({ signals }: Candidate, { event }: Pick<Findings, "event">): boolean {
  if (signals.some((signal) => kindOf(signal).isClearedByRestart)) return true;
  const calls = event?.calls ?? [];
  const failed = calls.findLast(({ trouble, isRelated }) => trouble !== null && isRelated);
  if (!failed || !refusals.has(failed.data.status_code ?? 0)) return false;
  const place = placeOf(failed);
  return place !== null && calls.some((call) => call.at < failed.at && isAnswered(call) && placeOf(call) === place);
}

/** The statuses of a response to a credential that isn't accepted. */
const refusals: ReadonlySet<number> = new Set([401, 403]);

/** Returns the host and the path of a call; null when its URL can't be read. */
function placeOf({ data: { url } }: OutgoingCall): string | null {
  const parsed = URL.parse(url);
  return parsed && `${parsed.host}${parsed.pathname}`;
}
