import { queryOptions } from "@tanstack/react-query";
import { type IncidentThresholds, incidentThresholdsSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** The thresholds at which a failure becomes an incident. */
export const thresholdsQuery = queryOptions({
  queryKey: ["settings", "thresholds"],
  queryFn: ({ signal }) => request(incidentThresholdsSchema, "/api/thresholds", { signal }),
});

/** Replaces all thresholds. */
export function changeThresholds(thresholds: IncidentThresholds): Promise<IncidentThresholds> {
  return request(incidentThresholdsSchema, "/api/thresholds", { method: "PUT", body: thresholds });
}
