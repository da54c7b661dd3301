import { TLSSocket } from "node:tls";
import { secondMs } from "@whence/protocol";
import type { Dispatcher } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import { openGuardedAgent } from "./guarded-agent.ts";
import { AddressRefused } from "./guarded-lookup.ts";

/** A request that checks whether a URL answers. */
export interface Probe {
  readonly url: URL;
  readonly method: "GET" | "HEAD";
  readonly timeoutMs: number;
  /** Bytes of the body that are read; 0 for none. */
  readonly bodyBytesMax: number;
}

/** What a URL answered. `refused`: this service may not reach its address. */
export type Probed =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Where it redirects to; null for other answers. */
      readonly location: string | null;
      /** The beginning of the body. */
      readonly body: string;
      readonly durationMs: number;
      /** When its certificate expires, in milliseconds since 1970; null without TLS. */
      readonly certificateExpiresAt: number | null;
    }
  /** `reason` follows the URL: `refused the connection`. */
  | { readonly kind: "failed"; readonly reason: string; readonly durationMs: number }
  | { readonly kind: "refused"; readonly reason: string };

/** Requests a URL once on a connection of its own, to a checked address only, and follows no redirect. Never rejects. */
export async function probeUrl(
  { url, method, timeoutMs, bodyBytesMax }: Probe,
  mayReach: AddressGuard,
  clock: () => number,
): Promise<Probed> {
  let certificateExpiresAt: number | null = null;
  const agent = openGuardedAgent({
    mayReach,
    onConnected: (socket) => {
      if (socket instanceof TLSSocket) certificateExpiresAt = Date.parse(socket.getPeerCertificate().valid_to);
    },
  });
  const startedAt = clock();
  const durationMs = (): number => Math.max(0, Math.round(clock() - startedAt));
  try {
    const headers = { "user-agent": "Whence/1 (uptime check)", accept: "*/*" };
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await agent.request(url, { method, headers, body: null, signal });
    const body = await beginningOf(answer.body, bodyBytesMax);
    const { location } = answer.headers;
    return {
      kind: "answered",
      status: answer.statusCode,
      body,
      durationMs: durationMs(),
      certificateExpiresAt,
      location: typeof location === "string" ? location : null,
    };
  } catch (error) {
    if (error instanceof AddressRefused) return { kind: "refused", reason: error.message };
    return { kind: "failed", reason: reasonOf(error, timeoutMs), durationMs: durationMs() };
  } finally {
    await agent.close();
  }
}

async function beginningOf(body: Dispatcher.ResponseData["body"], bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (bytesMax > 0) {
    for await (const chunk of body) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes >= bytesMax) break;
    }
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString();
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "has a name that could not be resolved",
  EAI_AGAIN: "has a name that could not be resolved for now",
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection before it answered",
  UND_ERR_SOCKET: "closed the connection before it answered",
  EHOSTUNREACH: "is on an unreachable host",
  ENETUNREACH: "is on an unreachable network",
  CERT_HAS_EXPIRED: "has an expired certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "has a certificate chain that ends in a self-signed one",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has an incomplete certificate chain",
};
const timeouts: readonly string[] = ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT"];

function reasonOf(error: unknown, timeoutMs: number): string {
  const code = codeOf(error);
  if ((error instanceof DOMException && error.name === "TimeoutError") || timeouts.includes(code)) {
    const seconds = timeoutMs / secondMs;
    return `did not answer within ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  }
  return reasons[code] ?? `could not be requested${code === "" ? "" : ` (${code})`}`;
}

/** The code of an error, or of the first of several, as when each address of a host refuses. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
