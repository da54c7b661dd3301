import { queryOptions } from "@tanstack/react-query";
import { sharedReportSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** The report that a link leads to. Opening it counts, so it isn't read again. */
export const sharedReportQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: ({ signal }) => request(sharedReportSchema, "/api/shared", { method: "POST", body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
