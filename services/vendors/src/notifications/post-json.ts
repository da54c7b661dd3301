import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { AddressGuard } from "../http/address-guard.ts";
import { AddressRefused, guardedLookup, requireReachableHost } from "../http/guarded-lookup.ts";
import { DeliveryFailure } from "./channel.ts";

export interface Post {
  /** The recipient, for errors. */
  readonly recipient: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly mayReach: AddressGuard;
  /** Ends the request at any point. */
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** The `Retry-After` header as received. */
  readonly retryAfter: string | undefined;
  /** The start of its body. */
  readonly text: string;
}

/** How much of a response's body is read, and how much of it is kept. */
const answerBytesMax = 65_536;
const keptBytesMax = 4_096;

/**
 * Sends one POST over TLS, on a connection of its own, without following redirects. The host is resolved for the
 * connection itself, which goes to a checked address, so no second lookup can lead elsewhere. Rejects with a {@link
 * DeliveryFailure} that is final when no address may be reached.
 */
export async function postJson(url: URL, post: Post): Promise<PostAnswer> {
  const { headers, body, mayReach, signal } = post;
  try {
    requireReachableHost(url, mayReach);
  } catch (error) {
    throw failureOf(error, post);
  }
  const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
  const sent = request(
    url,
    {
      method: "POST",
      agent: false,
      lookup: guardedLookup(mayReach),
      signal,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "Whence-Notifications/1",
        ...headers,
      },
    },
    (answer) => {
      const beginning = readBeginning(answer);
      // The status is known, whatever happens to the rest.
      answer.once("close", () => resolve(toAnswer(answer, beginning())));
    },
  );
  sent.on("error", (error) => reject(failureOf(error, post)));
  sent.end(body);
  return promise;
}

/** Ends the connection when the response is too long. Returns a function for the part of its beginning read so far. */
function readBeginning(answer: IncomingMessage): () => string {
  const kept: Buffer[] = [];
  let bytes = 0;
  answer.on("data", (chunk: Buffer) => {
    if (bytes < keptBytesMax) kept.push(chunk.subarray(0, keptBytesMax - bytes));
    bytes += chunk.length;
    if (bytes > answerBytesMax) answer.destroy();
  });
  answer.on("error", () => answer.destroy());
  return () => Buffer.concat(kept).toString();
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, text: string): PostAnswer {
  return { status: statusCode, retryAfter: headers["retry-after"], text };
}

function failureOf(error: unknown, { recipient, signal }: Post): unknown {
  if (signal.aborted) return new DeliveryFailure(`${recipient} did not answer in time`);
  return error instanceof AddressRefused ? new DeliveryFailure(error.message, { isFinal: true }) : error;
}
