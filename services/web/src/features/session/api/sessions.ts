import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const signInSchema = z.object({
  id: z.string(),
  token: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  ipAddress: z.string().nullish(),
  userAgent: z.string().nullish(),
});
/** A browser in which the person is signed in. */
export type SignedInBrowser = z.infer<typeof signInSchema>;

/** The person's sessions, and which of them is the current one. Rejects with 403 when signing in was long ago. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async ({ signal }) => {
    const [sessions, own] = await Promise.all([
      request(z.array(signInSchema), "/api/auth/list-sessions", { signal }),
      request(z.object({ session: z.object({ id: z.string() }) }), "/api/auth/get-session", { signal }),
    ]);
    return { sessions, ownId: own.session.id };
  },
});

/** Signs the other browser out. */
export async function revokeSession(token: string): Promise<void> {
  await request(z.unknown(), "/api/auth/revoke-session", { method: "POST", body: { token } });
}
