import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { serviceDetailSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";
import { defaultSpan, type ServiceView } from "../service-view.ts";

/** Polling interval while the page is visible: that of heartbeats is a minute. */
const everyMs = 15_000;

/** How a service did over a span. */
export const serviceQuery = (service: string, { env, span = defaultSpan }: ServiceView) =>
  queryOptions({
    queryKey: ["services", service, env, span],
    queryFn: ({ signal }) =>
      request(serviceDetailSchema, `/api/services/${encodeURIComponent(service)}`, { query: { env, span }, signal }),
    refetchInterval: everyMs,
    // The page stays while another span is loaded.
    placeholderData: keepPreviousData,
  });
