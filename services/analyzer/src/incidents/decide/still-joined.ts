import { minuteMs } from "@whence/protocol";
import type { KnownFailure } from "@whence/storage";
import type { Opening } from "./opening.ts";
import type { Relation } from "./relation.ts";

/** How often a failure that joined an incident is checked again. */
const checkEveryMs = 5 * minuteMs;
/** Fewer events than this since the last check don't show anything. */
export const checkedEventsMin = 3;

/** Whether it is time to check that the failure still belongs to the incident it joined. */
export function isCheckDue(known: KnownFailure | null, now: Date): boolean {
  const joined = known?.joined;
  return joined && !joined.isByHand ? now.getTime() - Date.parse(joined.checkedAt) >= checkEveryMs : false;
}

/** Why a failure that had joined an incident opens one of its own; null while it is still related to that incident. */
export function noLongerExplained(known: KnownFailure, relation: Relation | null): Opening | null {
  if (!known.joined || relation?.incidentId === known.incidentId) return null;
  const reason = `it continues without the failure it had joined (incident ${known.incidentId}: ${known.joined.reason})`;
  return { rule: "no-longer-explained", reason };
}
