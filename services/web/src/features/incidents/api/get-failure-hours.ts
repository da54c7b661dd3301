import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type FailureHours, failureHoursSchema, minuteMs } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const everyMs = minuteMs;

/** How often failures occurred in each hour of the last day. Those before stay until others are known. */
export const failureHoursQuery = (fingerprints: readonly string[]) =>
  queryOptions({
    queryKey: ["failure-hours", fingerprints],
    queryFn: async ({ signal }): Promise<FailureHours["hours"]> => {
      const query = { fingerprint: fingerprints };
      return (await request(failureHoursSchema, "/api/failures/hours", { query, signal })).hours;
    },
    enabled: fingerprints.length > 0,
    staleTime: everyMs,
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
