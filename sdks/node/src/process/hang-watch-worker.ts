import type { RequestOptions } from "node:http";
import type { resolveName } from "../runtime/resolve-name.ts";
import type { LoadInspector, readMainThreadStack } from "./main-thread-stack.ts";

/** What the main thread passes to the thread that watches it. */
export interface HangWatchOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A batch without `sent_at` and `events`, as JSON. */
  readonly header: string;
  readonly serverTimeoutMs: number;
  /** [0] counts turns of the main thread's event loop. */
  readonly turns: Int32Array;
  readonly lookIntervalMs: number;
  readonly firstAfterMs: number;
  readonly againAfterMs: number;
  readonly framesMax: number;
}

/** `require`, for the modules used. */
interface Load extends LoadInspector {
  (name: "node:http" | "node:https"): Pick<typeof import("node:http"), "request">;
  (name: "node:crypto"): Pick<typeof import("node:crypto"), "randomUUID">;
  (name: "node:v8"): Pick<typeof import("node:v8"), "getHeapStatistics">;
  (name: "node:dns"): typeof import("node:dns");
  (name: "node:fs"): typeof import("node:fs");
}

/**
 * Reports when the main thread has been blocked for a while, with its stack: a heartbeat that the main thread itself
 * can't send. Its sequence number is always 1, since the main thread assigns the numbers.
 *
 * Converted to text, under the same rules as `dying-process-worker.ts`.
 */
export function watchForHangs(
  order: HangWatchOrder,
  load: Load,
  resolve: typeof resolveName,
  locate: typeof readMainThreadStack,
): void {
  const { turns, lookIntervalMs, firstAfterMs, againAfterMs, framesMax } = order;
  const seen = { turns: -1, since: 0, lookedAt: 0, toldAt: 0 };
  const steps = {
    look(): void {
      const now = performance.now();
      const counted = Atomics.load(turns, 0);
      // If this thread was late as well, the whole process was suspended: that isn't a hang.
      const wasSuspended = now - seen.lookedAt > 3 * lookIntervalMs;
      seen.lookedAt = now;
      if (counted !== seen.turns || wasSuspended) {
        seen.turns = counted;
        seen.since = now;
        seen.toldAt = 0;
        return;
      }
      const blockedMs = now - seen.since;
      if (blockedMs < (seen.toldAt === 0 ? firstAfterMs : seen.toldAt + againAfterMs)) return;
      seen.toldAt = blockedMs;
      locate({ load, framesMax, waitMs: lookIntervalMs }, (stack) => steps.tell(Math.round(blockedMs), stack));
    },
    tell(blockedMs: number, stack: string): void {
      // Only the resident set is of the whole process; the heap would be this thread's own.
      const { rss } = process.memoryUsage();
      const timestamp = new Date().toISOString();
      const event = {
        id: load("node:crypto").randomUUID(),
        seq: 1,
        type: "heartbeat",
        timestamp,
        level: "error",
        message: "the main thread does not turn",
        mechanism: { type: "heartbeat", handled: true },
        attributes: { main_thread_blocked_ms: blockedMs, main_thread_stack: stack, rss_bytes: rss },
      };
      const batch = `${order.header.slice(0, -1)},"sent_at":${JSON.stringify(timestamp)},"events":[${JSON.stringify(event)}]}`;
      const { request } = order.url.startsWith("https:") ? load("node:https") : load("node:http");
      const options: RequestOptions = {
        method: "POST",
        headers: Object.assign({ "content-length": Buffer.byteLength(batch) }, order.headers),
        timeout: lookIntervalMs * 2,
      };
      options.lookup = (host, given, callback) => {
        resolve(
          { dns: load("node:dns"), fs: load("node:fs"), serverTimeoutMs: order.serverTimeoutMs },
          host,
          given,
          callback,
        );
      };
      request(order.url, options, (response) => response.resume())
        // Ignored: the next report repeats this one, with more.
        .on("error", () => undefined)
        .end(batch);
    },
  };
  setInterval(steps.look, lookIntervalMs);
}
