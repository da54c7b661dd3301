import { queryOptions } from "@tanstack/react-query";
import { incidentTelemetrySchema, minuteMs } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";
import { isGoingOn } from "../pulse.ts";

const staleMs = 30_000;
/** How often it is read again while the failure continues. */
const everyMs = minuteMs;

/** The telemetry around an incident. */
export const incidentTelemetryQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id, "telemetry"],
    queryFn: ({ signal }) =>
      request(incidentTelemetrySchema, `/api/incidents/${encodeURIComponent(id)}/telemetry`, { signal }),
    staleTime: staleMs,
    refetchInterval: ({ state: { data } }) => (data && isGoingOn(data, Date.now()) ? everyMs : false),
  });
