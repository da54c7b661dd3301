import { monitorEventLoopDelay } from "node:perf_hooks";
import type { EventStore, PreparedEvents } from "@whence/storage";

const sampleMs = 100;

/** Measures this process's resource use from construction to `end`. */
export class ProcessFigures {
  readonly #loop = monitorEventLoopDelay({ resolution: 1 });
  readonly #begin = process.cpuUsage();
  #residentBytesMax = 0;
  readonly #sampling = setInterval(() => {
    this.#residentBytesMax = Math.max(this.#residentBytesMax, process.memoryUsage.rss());
  }, sampleMs);

  constructor() {
    this.#loop.enable();
  }

  end(): { readonly cpuMs: number; readonly loopP99Ms: number; readonly residentBytesMax: number } {
    clearInterval(this.#sampling);
    const { user, system } = process.cpuUsage(this.#begin);
    const loopP99Ms = this.#loop.percentile(99) / 1e6;
    return { cpuMs: (user + system) / 1_000, loopP99Ms, residentBytesMax: this.#residentBytesMax };
  }
}

/**
 * Returns the store, which calls `stored` for each insert once its events can be found, with the first event of each
 * part.
 */
export function observedInserts(
  store: EventStore,
  stored: (events: number, firstIds: readonly string[]) => void,
): EventStore {
  const firstIds = new WeakMap<PreparedEvents, string>();
  return {
    ...store,
    prepare(events) {
      const prepared = store.prepare(events);
      firstIds.set(prepared, events[0]?.event.id ?? "");
      return prepared;
    },
    async insertPrepared(parts) {
      await store.insertPrepared(parts);
      stored(
        parts.reduce((sum, { count }) => sum + count, 0),
        parts.map((part) => firstIds.get(part) ?? ""),
      );
    },
  };
}
