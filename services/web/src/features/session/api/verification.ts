import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";
import { sessionQuery } from "./get-session.ts";

/** Verifies the signed-in person's address by the token in their mail. Rejects when it is too old or another account's. */
export const verificationQuery = (token: string) =>
  queryOptions({
    queryKey: ["verification", token],
    queryFn: async ({ client }) => {
      const verified = await request(z.object({ status: z.boolean() }), "/api/auth/verify-email", { query: { token } });
      await client.invalidateQueries(sessionQuery);
      return verified;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Sends the signed-in person a mail with a link that verifies their address. */
export async function sendVerification(email: string): Promise<void> {
  await request(z.unknown(), "/api/auth/send-verification-email", { method: "POST", body: { email } });
}
