import { config } from "./config.ts";

/** Another service of the shop refused or failed; it reports its own failures. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status}`);
    this.status = status;
  }
}

/** Asks another service of the shop. Rejects with {@link UpstreamError} unless the answer is a success. */
export async function askUpstream(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(config.upstreamTimeoutMs) });
  if (!response.ok) throw new UpstreamError(url, response.status);
  return response;
}
