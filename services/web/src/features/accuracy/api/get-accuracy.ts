import { queryOptions } from "@tanstack/react-query";
import { accuracySchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const staleMs = 30_000;

/** How often the organization's reports were right. */
export const accuracyQuery = queryOptions({
  queryKey: ["accuracy"],
  queryFn: ({ signal }) => request(accuracySchema, "/api/accuracy", { signal }),
  staleTime: staleMs,
});
