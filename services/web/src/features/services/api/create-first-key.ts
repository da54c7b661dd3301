import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const name = "first service";

/** Makes a key for the snippet, which is shown this once. It sends telemetry and reads nothing. */
export async function createFirstKey(): Promise<string> {
  const { api_key: key } = await request(z.object({ api_key: z.string() }), "/api/keys", {
    method: "POST",
    body: { name, scope: "send" },
  });
  return key;
}
