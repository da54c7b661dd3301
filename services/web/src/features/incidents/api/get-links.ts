import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Incident, incidentLinksSchema, minuteMs } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const staleMs = minuteMs;

/** An incident, and which report it has. */
type IncidentReported = Pick<Incident, "id" | "completed_at" | "refinement">;

/**
 * What belongs to an incident elsewhere: alerts, conversations, and the code of its report, which each new report may
 * change.
 */
export const incidentLinksQuery = ({ id, completed_at: at, refinement }: IncidentReported) =>
  queryOptions({
    queryKey: ["incident", id, "links", at, refinement?.version],
    queryFn: ({ signal }) => request(incidentLinksSchema, `/api/incidents/${encodeURIComponent(id)}/links`, { signal }),
    staleTime: staleMs,
    placeholderData: keepPreviousData,
    retry: false,
  });
