import { parseJson, secondMs, WhenceError } from "@whence/protocol";
import { clientLimits } from "./client-limits.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { agentErrors } from "./errors.ts";
import { userAgent } from "./version.ts";

/** One request to the service. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path below the service's address, with a leading slash. */
  readonly path: string;
  readonly apiKey?: string | undefined;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A complete answer. `body` is undefined when it isn't JSON. */
export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** Sends a request without retries. Rejects when no answer arrives in time, or the answer isn't from Whence. */
export async function sendRequest(
  service: string,
  request: HttpRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const deadline = startDeadline(timeoutMs, signal);
  try {
    const response = await openRequest(service, request, deadline.signal);
    const text = await readBounded(service, response);
    return { status: response.status, retryAfter: response.headers.get("retry-after"), body: parseJson(text) };
  } catch (error) {
    throw explain(service, error, deadline, timeoutMs, signal);
  } finally {
    deadline.clear();
  }
}

/** Sends a request, and leaves the body of the answer to the caller. */
export async function openRequest(service: string, request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const { method, path, apiKey, body, headers } = request;
  const response = await fetch(service + path, {
    method,
    signal,
    // A redirect would send the key to another host.
    redirect: "manual",
    headers: {
      accept: "application/json",
      "user-agent": userAgent,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const target = response.headers.get("location");
  if (response.status >= 300 && response.status < 400 && target !== null) {
    await response.body?.cancel();
    throw agentErrors.create("WHENCE_ERR_SERVICE_REDIRECTS", [service, visible(target)]);
  }
  return response;
}

/** Converts a failure to one of our errors; a caller that aborted gets its own reason. */
export function explain(
  service: string,
  error: unknown,
  deadline: Deadline,
  timeoutMs: number,
  signal?: AbortSignal,
): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof WhenceError) return error;
  if (deadline.isOver) {
    return agentErrors.create("WHENCE_ERR_SERVICE_TIMEOUT", [service, Math.ceil(timeoutMs / secondMs)]);
  }
  return agentErrors.create("WHENCE_ERR_SERVICE_UNREACHABLE", [service, reasonOf(error)], { cause: error });
}

/** Returns the reason for a failed `fetch`, which is only in its cause, or in one of several. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.cause instanceof AggregateError) return reasonOf(error.cause.errors[0]);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return visible("code" in error && typeof error.code === "string" ? error.code : error.message);
}

async function readBounded(service: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > clientLimits.answerBytesMax) {
      throw agentErrors.create("WHENCE_ERR_SERVICE_ANSWER", [
        service,
        `more than ${clientLimits.answerBytesMax} bytes`,
      ]);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Shortens text from outside, and removes what a terminal would act on. */
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}
