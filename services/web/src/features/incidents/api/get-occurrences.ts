import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { incidentInputSchema, occurrenceDetailSchema, occurrencePageSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const pageSize = 50;
const pathOf = (id: string): string => `/api/incidents/${encodeURIComponent(id)}`;

/** What every query about the events of an incident's failure begins with. */
export const occurrencesKey = (id: string) => ["incident", id, "occurrences"] as const;

/** The events of an incident's failure, the newest first, page by page. */
export const occurrencesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: occurrencesKey(id),
    queryFn: ({ pageParam: before, signal }) =>
      request(occurrencePageSchema, `${pathOf(id)}/occurrences`, { query: { limit: pageSize, before }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** One of them as it is stored. */
export const occurrenceQuery = (id: string, eventId: string) =>
  queryOptions({
    queryKey: [...occurrencesKey(id), eventId],
    queryFn: ({ signal }) =>
      request(occurrenceDetailSchema, `${pathOf(id)}/occurrences/${encodeURIComponent(eventId)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** The text that an analysis started from, and how it is read. */
export const incidentInputQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id, "input"],
    queryFn: ({ signal }) => request(incidentInputSchema, `${pathOf(id)}/input`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
