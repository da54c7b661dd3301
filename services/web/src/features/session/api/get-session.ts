import { queryOptions } from "@tanstack/react-query";
import { minuteMs, sessionSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

const staleMs = minuteMs;

/** The signed-in person. Rejects with 401 without a session. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => request(sessionSchema, "/api/session", { signal }),
  staleTime: staleMs,
});
