import { config } from "./config.ts";

/** Posts JSON and reads the JSON that comes back. */
export async function postJson<Answer>(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(config.upstreamTimeoutMs),
  });
  const text = await response.text();
  return JSON.parse(text) as Answer;
}
