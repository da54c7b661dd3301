/** Investigations that one process works on at a time. */
export interface InvestigationLanes {
  /** Of one organization. */
  readonly perOrganization: number;
  /** Of all organizations and of unclaimed agents together. */
  readonly total: number;
}

/** Of all unclaimed agents together, beside what organizations have: these never wait for an agent that no one has claimed. */
export const unclaimedLanes = 1;
/** While one organization uses all that it may, as much is left for others. */
const shares = 2;

export function investigationLanes(perOrganization: number): InvestigationLanes {
  return { perOrganization, total: shares * perOrganization + unclaimedLanes };
}
