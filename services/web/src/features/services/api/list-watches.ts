import { queryOptions } from "@tanstack/react-query";
import { watchListSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** Polling interval while the page is visible: that of heartbeats is a minute. */
const everyMs = 15_000;

/** The places of running programs that are being watched now. */
export const runningWatchesQuery = queryOptions({
  queryKey: ["watches"],
  queryFn: async ({ signal }) => (await request(watchListSchema, "/api/watches", { signal })).watches,
  refetchInterval: everyMs,
});
