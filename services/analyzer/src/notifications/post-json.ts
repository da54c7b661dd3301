import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";
import type { AddressGuard } from "./address-guard.ts";
import { DeliveryFailure } from "./channel.ts";

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly mayReach: AddressGuard;
  /** Ends the request at any point. */
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** From `Retry-After` in seconds. */
  readonly retryAfterMs: number | null;
}

/** How much of an answer's body is read and discarded; only its status counts. */
const answerBytesMax = 65_536;
const msPerSecond = 1_000;

/**
 * Sends one POST over TLS, on a connection of its own, never redirected. The host is resolved for the connection itself,
 * which goes to a checked address: no second lookup can lead elsewhere. Rejects with a {@link DeliveryFailure} that is final
 * when no address may be reached.
 */
export async function postJson(url: URL, { headers, body, mayReach, signal }: Post): Promise<PostAnswer> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A literal address is connected to without a lookup.
  if (isIP(host) !== 0 && !mayReach(host)) throw unreachable(host);
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
      discard(answer);
      // The status is known, whatever happens to the rest.
      answer.once("close", () => resolve(toAnswer(answer)));
    },
  );
  sent.on("error", (error) =>
    reject(signal.aborted ? new DeliveryFailure("the webhook did not answer in time") : error),
  );
  sent.end(body);
  return promise;
}

/** Ends the connection when the answer is too long. */
function discard(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBytesMax) answer.destroy();
  });
  answer.on("error", () => answer.destroy());
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage): PostAnswer {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return { status: statusCode, retryAfterMs: seconds >= 0 ? seconds * msPerSecond : null };
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves names like the system, but only to addresses that may be reached. */
function guardedLookup(mayReach: AddressGuard) {
  return (hostname: string, options: LookupOptions, done: LookupCallback): void => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const allowed = error ? [] : found.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (error) done(error, "");
      else if (!first) done(unreachable(hostname), "");
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

function unreachable(host: string): DeliveryFailure {
  return new DeliveryFailure(`${host} has no public address, and this service allows no others`, { isFinal: true });
}
