import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type IncidentPage, incidentPageSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";
import { type IncidentFilter, sinceOf } from "../list/incident-filter.ts";
import { type ReadIncidents, type SeenIncidents, withHead } from "../list/merge-head.ts";

const pageSize = 100;
const headSize = 30;
/** Polling interval for the first incidents. */
const headEveryMs = 3_000;
/** How often all pages of a sorted list are read again, for each page that is loaded. */
const rereadEveryMs = 10_000;

interface PageQuery extends IncidentFilter {
  readonly fingerprint?: string;
}

function readPage(
  filter: PageQuery,
  limit: number,
  before: string | undefined,
  signal: AbortSignal,
): Promise<IncidentPage> {
  const { span, ...rest } = filter;
  const query = { ...rest, since: sinceOf(span, Date.now()), limit, before };
  return request(incidentPageSchema, "/api/incidents", { query, signal });
}

async function readTimed(...asked: Parameters<typeof readPage>): Promise<IncidentPage & ReadIncidents> {
  const readAt = Date.now();
  return { ...(await readPage(...asked)), readAt };
}

/** The incidents that match a filter, page by page. */
export const incidentPagesQuery = (filter: IncidentFilter) =>
  infiniteQueryOptions({
    queryKey: ["incidents", "pages", filter],
    queryFn: ({ pageParam, signal }) => readTimed(filter, pageSize, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // New and changed incidents come with the head; refetching all pages would cost more than it shows.
    staleTime: Number.POSITIVE_INFINITY,
    // Pages don't change, and comparing all of them with each new one takes longer than a frame.
    structuralSharing: false,
    // An incident that rises from below what is loaded to a place between the first ones and its end is in no head.
    refetchInterval: ({ state }) =>
      (filter.sort ?? "newest") === "newest" ? false : rereadEveryMs * Math.max(1, state.data?.pages.length ?? 1),
  });

/** The first of them, polled to keep a list live, with those that were among the first before. */
export const incidentHeadQuery = (filter: IncidentFilter) =>
  queryOptions({
    queryKey: ["incidents", "head", filter],
    queryFn: async ({ client, queryKey, signal }) => {
      const head = await readTimed(filter, headSize, undefined, signal);
      return withHead(client.getQueryData<SeenIncidents>(queryKey) ?? {}, head);
    },
    refetchInterval: headEveryMs,
  });

/** A few incidents, for a side column or a search. */
export const fewIncidentsQuery = (filter: PageQuery, limit: number) =>
  queryOptions({
    queryKey: ["incidents", "few", filter, limit],
    queryFn: ({ signal }) => readPage(filter, limit, undefined, signal),
  });
