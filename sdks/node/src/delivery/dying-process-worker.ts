import type { RequestOptions } from "node:http";
import type { resolveName } from "../runtime/resolve-name.ts";
import type { isAccepted } from "./batch-response.ts";

/** The batches of a dying process, for the thread that sends them. */
export interface FinalBatches {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each batch as JSON, the most important first. */
  readonly batches: readonly Uint8Array[];
  readonly gzipFromBytes: number;
  readonly serverTimeoutMs: number;
  /** The peer of an earlier connection, so that a slow name resolution can't delay the exit. */
  readonly peer: { readonly address: string; readonly family: number } | undefined;
  readonly answerCharactersMax: number;
  /** Whether the thread stays until the one that waits for it ends. */
  readonly stays: boolean;
  /**
   * [0] is 1 when there is nothing left to wait for, and [1] is the length of the answer in `answer`. The others, one
   * per batch, are 1 when the service has accepted it.
   */
  readonly state: Int32Array;
  /** Takes the answer to the last accepted batch, unless it is longer. Shared with the other thread. */
  readonly answer: Uint8Array;
}

/** `require`, for the modules used. */
interface Load {
  (name: "node:http" | "node:https"): Pick<typeof import("node:http"), "request" | "Agent">;
  (name: "node:zlib"): typeof import("node:zlib");
  (name: "node:dns"): typeof import("node:dns");
  (name: "node:fs"): typeof import("node:fs");
}

/**
 * Sends {@link FinalBatches} and updates `state`. It is converted to text and runs in a thread (see
 * `dying-process.ts`), because a file would be hard to find from a bundle. It must therefore be self-contained, and
 * avoid syntax for which bundlers add helper calls: no named functions, no object spread.
 */
export function sendFinalBatches(
  delivery: FinalBatches,
  load: Load,
  resolve: typeof resolveName,
  isTaken: typeof isAccepted,
): void {
  const { batches, state, url, gzipFromBytes, serverTimeoutMs, answerCharactersMax, peer } = delivery;
  const { request, Agent } = url.startsWith("https:") ? load("node:https") : load("node:http");
  const { gzipSync } = load("node:zlib");
  const agent = new Agent({ keepAlive: true });
  const steps = {
    finish(): void {
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
      if (delivery.stays) Atomics.wait(state, 0, 1);
    },
    send(index: number): void {
      const batch = batches[index];
      if (batch === undefined) {
        steps.finish();
        return;
      }
      const isLong = batch.length >= gzipFromBytes;
      const body = isLong ? gzipSync(batch, { level: 1 }) : batch;
      const options: RequestOptions = {
        agent,
        method: "POST",
        headers: Object.assign(
          { "content-length": body.length },
          delivery.headers,
          isLong && { "content-encoding": "gzip" },
        ),
      };
      options.lookup = (host, given, callback) => {
        if (peer && given.all) callback(null, [peer]);
        else if (peer) callback(null, peer.address, peer.family);
        else resolve({ dns: load("node:dns"), fs: load("node:fs"), serverTimeoutMs }, host, given, callback);
      };
      request(url, options, (response) => {
        const answer = { status: response.statusCode ?? 0, body: "" };
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          if (answer.body.length <= answerCharactersMax) answer.body += text;
        });
        response.on("error", steps.finish);
        response.on("end", () => {
          if (isTaken(answer)) {
            Atomics.store(state, 2 + index, 1);
            const bytes = Buffer.from(answer.body);
            if (bytes.copy(delivery.answer) === bytes.length) Atomics.store(state, 1, bytes.length);
          }
          steps.send(index + 1);
        });
      })
        .on("error", steps.finish)
        .end(body);
    },
  };
  steps.send(0);
}
