import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const name = "first service";

/** Creates a send key for the snippet. It is shown only once. */
export async function createFirstKey(): Promise<string> {
  const { api_key: key } = await request(z.object({ api_key: z.string() }), "/api/keys", {
    method: "POST",
    body: { name, scope: "send" },
  });
  return key;
}
