import { infiniteQueryOptions } from "@tanstack/react-query";
import { auditPageSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const pageSize = 50;

/** The audit log, newest first, page by page; for owners. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ["settings", "audit"],
  queryFn: ({ pageParam, signal }) =>
    request(auditPageSchema, "/api/audit", { query: { limit: pageSize, before: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
});
