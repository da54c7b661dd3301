import { queryOptions } from "@tanstack/react-query";
import { serviceSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const listSchema = z.object({ services: z.array(serviceSchema) });
/** Polling interval while the page is visible. */
const everyMs = 15_000;
/** Polling interval while waiting for a new service. */
const waitingEveryMs = 2_000;

/** The services seen in the last day, the most recent first. */
export const servicesQuery = queryOptions({
  queryKey: ["services"],
  queryFn: async ({ signal }) => (await request(listSchema, "/api/services", { signal })).services,
  refetchInterval: everyMs,
});

/** The services, polled while waiting for a new one to appear. */
export const awaitedServicesQuery = queryOptions({ ...servicesQuery, refetchInterval: waitingEveryMs });
