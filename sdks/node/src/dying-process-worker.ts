import type { RequestOptions } from "node:http";

/** What a dying process hands to the thread that speaks for it. */
export interface LastWords {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON of each batch, the most important first. */
  readonly batches: readonly string[];
  readonly gzipFromBytes: number;
  /** Where an earlier connection led: a name that doesn't resolve must not hold the exit. */
  readonly peer: { readonly address: string; readonly family: number } | undefined;
  /** [0]: 1 once there is no more to wait for. [1]: batches that the service took. */
  readonly state: Int32Array;
}

/**
 * Sends {@link LastWords} and says so in `state`. It is turned into text and runs in a thread of its own (see
 * `dying-process.ts`), because a file would have to be found from a bundle, too: so it must use nothing from around it,
 * and give no function in it a name, to which some bundlers add a call of theirs.
 */
export function speakLastWords(words: LastWords, load: (name: string) => typeof import("node:http")): void {
  const { batches, state, url, gzipFromBytes, peer } = words;
  const { request, Agent } = load(url.startsWith("https:") ? "node:https" : "node:http");
  const { gzipSync } = load("node:zlib") as unknown as typeof import("node:zlib");
  const agent = new Agent({ keepAlive: true });
  const steps = {
    finish(): void {
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
    },
    send(index: number): void {
      const batch = batches[index];
      if (batch === undefined) {
        steps.finish();
        return;
      }
      const isLong = batch.length >= gzipFromBytes;
      const body = isLong ? gzipSync(batch, { level: 1 }) : Buffer.from(batch);
      const options: RequestOptions = {
        agent,
        method: "POST",
        headers: { ...words.headers, ...(isLong ? { "content-encoding": "gzip" } : {}), "content-length": body.length },
      };
      if (peer) {
        options.lookup = (_host, { all }, callback) => {
          if (all) callback(null, [peer]);
          else callback(null, peer.address, peer.family);
        };
      }
      request(url, options, (response) => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) Atomics.add(state, 1, 1);
        response.resume();
        response.on("end", () => steps.send(index + 1));
      })
        .on("error", steps.finish)
        .end(body);
    },
  };
  steps.send(0);
}
