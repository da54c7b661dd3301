import type { Occurrence } from "@whence/protocol";

/** Returns the events before and after one in a list that begins with the newest; null where there is none. */
export function neighbors(
  occurrences: readonly Pick<Occurrence, "event_id">[],
  openId: string,
): { readonly newer: string | null; readonly older: string | null } {
  const index = occurrences.findIndex(({ event_id: id }) => id === openId);
  // One that isn't listed is older than all that are: it opened the incident.
  const at = index < 0 ? occurrences.length : index;
  return { newer: occurrences[at - 1]?.event_id ?? null, older: occurrences[at + 1]?.event_id ?? null };
}
