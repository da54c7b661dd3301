import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** Rejects with 410 when the setup link was already used. */
export const setupQuery = (token: string) =>
  queryOptions({
    queryKey: ["setup", token],
    queryFn: ({ signal }) => request(z.object({ open: z.literal(true) }), "/api/setup", { query: { token }, signal }),
  });
