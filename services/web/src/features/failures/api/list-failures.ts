import { queryOptions } from "@tanstack/react-query";
import { failureListSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";
import type { FailureFilter } from "../failure-filter.ts";

/** The most that the service returns at once. */
export const failuresMax = 200;
/** Polling interval while the page is visible. */
const everyMs = 15_000;

/** The latest decided failures that match a filter: only those not investigated, unless it says `all`. */
export const failuresQuery = ({ show, rule }: FailureFilter) =>
  queryOptions({
    queryKey: ["failures", show, rule],
    queryFn: async ({ signal }) => {
      const query = { limit: failuresMax, outcome: show === "all" ? undefined : "skipped", rule };
      return (await request(failureListSchema, "/api/failures", { query, signal })).failures;
    },
    refetchInterval: everyMs,
  });
