import type { Dispatcher } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import { isBoundedJson, wellFormedJson } from "./bounded-json.ts";
import { openGuardedAgent } from "./guarded-agent.ts";

/** The parts of `fetch` options that libraries use. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/** A `fetch` for libraries. */
export interface GuardedFetch {
  readonly fetch: (address: string, init?: FetchInit) => Promise<Response>;
  close(): Promise<void>;
}

interface GuardedFetchOptions {
  readonly mayReach: AddressGuard;
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

const statusesWithoutBody: readonly number[] = [204, 205, 304];

/** Opens a `fetch` that connects only to checked addresses, follows no redirect, and limits time, bytes, and JSON. */
export function openGuardedFetch({ mayReach, timeoutMs, bytesMax }: GuardedFetchOptions): GuardedFetch {
  const agent = openGuardedAgent({ mayReach });
  return {
    async fetch(address, { method = "GET", headers, body, signal } = {}) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const answer = await agent.request(new URL(address), {
        method,
        headers: { "user-agent": "Whence/1", ...headers },
        body: body === undefined || body === null ? null : String(body),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      if (isEventStream(answer.headers)) {
        return responseOf(answer, ReadableStream.from(boundedChunks(answer.body, bytesMax)));
      }
      const bytes = await bounded(answer.body, bytesMax);
      const content = isJson(answer.headers) ? checkedJson(bytes) : bytes;
      const isBodiless = statusesWithoutBody.includes(answer.statusCode);
      return responseOf(answer, isBodiless ? null : content);
    },
    close: () => agent.close(),
  };
}

function checkedJson(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!isBoundedJson(text)) throw new RangeError("the answer is JSON of too many levels or values");
  return wellFormedJson(text);
}

function responseOf(
  { statusCode: status, headers }: Dispatcher.ResponseData,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
): Response {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Response(body, { status, headers: entries });
}

/** Server-sent events, and AWS's own format of events, which are passed on as they arrive. */
function isEventStream({ "content-type": type }: Dispatcher.ResponseData["headers"]): boolean {
  return /^(?:text\/event-stream|application\/vnd\.amazon\.eventstream)\b/.test(String(type));
}

function isJson({ "content-type": type }: Dispatcher.ResponseData["headers"]): boolean {
  return String(type).includes("json");
}

async function bounded(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedChunks(body, bytesMax)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

async function* boundedChunks(body: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new RangeError(`the answer has more than ${bytesMax} bytes`);
    yield chunk;
  }
}
