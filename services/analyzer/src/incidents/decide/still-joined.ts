import type { KnownFailure } from "@whence/storage";
import type { Opening } from "./opening.ts";
import type { Relation } from "./relation.ts";

const minuteMs = 60_000;
/** Asked again so often whether a failure still belongs to the incident that it joined. */
const checkEveryMs = 5 * minuteMs;
/** Fewer events than this since then say nothing about it. */
export const checkedEventsMin = 3;

/** Whether it is time to ask whether the failure still belongs to the incident that it joined. */
export function isCheckDue(known: KnownFailure | null, now: Date): boolean {
  return known?.joined ? now.getTime() - Date.parse(known.joined.checkedAt) >= checkEveryMs : false;
}

/** Why a failure that had joined an incident opens one of its own: what it is related to by now is not that one. */
export function noLongerExplained(known: KnownFailure, relation: Relation | null): Opening | null {
  if (!known.joined || relation?.incidentId === known.incidentId) return null;
  const reason = `it goes on without the failure that it had joined (incident ${known.incidentId}: ${known.joined.reason})`;
  return { rule: "no-longer-explained", reason };
}
