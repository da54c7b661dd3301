import { infiniteQueryOptions } from "@tanstack/react-query";
import { activityPageSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** What happened to an incident, newest first, page by page. */
export const activityQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["incident", id, "activity"],
    queryFn: ({ pageParam: before, signal }) =>
      request(activityPageSchema, `/api/incidents/${encodeURIComponent(id)}/activity`, { query: { before }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
