import type { ErrorTable } from "@whence/protocol";

/** What keeps an incident from being changed, merged, or separated. */
export const lifecycleErrors = {
  WHENCE_ERR_INCIDENT_RESOLVED: {
    status: 409,
    message: "incident %s is resolved and needs no muting: reopen it first",
  },
  WHENCE_ERR_INCIDENT_MERGED: {
    status: 409,
    message: "incident %s was merged into %s: change that one instead",
  },
  WHENCE_ERR_INCIDENT_MERGED_WITH_ITSELF: {
    status: 409,
    message: "incident %s can't be merged into itself: leave it out of `ids`",
  },
  WHENCE_ERR_INCIDENT_UNDER_INVESTIGATION: {
    status: 409,
    message: "incident %s is being investigated: merge it once its report is there",
  },
  WHENCE_ERR_INCIDENT_NOT_MERGED: {
    status: 409,
    message: "no one merged incident %s into another one: to take a failure out of an incident, split it off",
  },
} as const satisfies ErrorTable;
