import { queryOptions } from "@tanstack/react-query";
import { signInOptionsSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** How people can sign in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: ({ signal }) => request(signInOptionsSchema, "/api/sign-in", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
