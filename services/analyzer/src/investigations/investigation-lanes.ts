/** How many investigations one process runs at a time. */
export interface InvestigationLanes {
  /** For one organization. */
  readonly perOrganization: number;
  /** For all organizations and unclaimed agents together. */
  readonly total: number;
}

/** For all unclaimed agents together, in addition to the organizations' lanes, so that those never wait for an unclaimed agent. */
export const unclaimedLanes = 1;
/** While one organization uses all its lanes, the same number is left for others. */
const shares = 2;

export function investigationLanes(perOrganization: number): InvestigationLanes {
  return { perOrganization, total: shares * perOrganization + unclaimedLanes };
}
