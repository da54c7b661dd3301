import type { Findings } from "../../findings/findings.ts";
import type { Candidate } from "../../rank/candidate.ts";
import { isAnswered } from "../../signals/read-answers.ts";
import { kindOf } from "../../signals/signal.ts";

/** How servers and libraries say that a credential was accepted until now: `token_expired`, `ExpiredToken`, `jwt expired`. */
const expiry = /(?<![a-z])expired(?![a-z])|Expired(?![a-z])/;

/** How much of a message is searched for what it speaks of. */
export const messageUnitsRead = 2_000;

/**
 * Returns whether the settings of the process worked earlier in it, so a restart with the same ones may obtain again
 * what has ended since, such as a token.
 */
export function workedBefore({ signals }: Candidate, { error, event }: Pick<Findings, "error" | "event">): boolean {
  if (signals.some((signal) => kindOf(signal).isClearedByRestart)) return true;
  const said = error.exceptions.map(({ type, message }) => `${type}: ${message.slice(0, messageUnitsRead)}`);
  if (said.some((text) => expiry.test(text))) return true;
  const calls = event?.calls ?? [];
  const failed = calls.findLast(({ trouble, isRelated }) => trouble !== null && isRelated);
  return (
    failed !== undefined && calls.some((call) => call.host === failed.host && call.at < failed.at && isAnswered(call))
  );
}
