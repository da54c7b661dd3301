import type { GatewayMetrics } from "../metrics.ts";

/**
 * Limits of concurrent work. A body is in memory two or three times on its way to the queue, so this is a third of the
 * memory it may take.
 */
export const loadLimits = { bytesMax: 64 * 1_048_576, requestsMax: 1_000 } as const;
/** The same for requests whose key is in their body, so that they can't keep others out before they are known. */
export const keylessLoadLimits = { bytesMax: 16 * 1_048_576, requestsMax: 50 } as const;

interface LoadLimits {
  readonly bytesMax: number;
  readonly requestsMax: number;
}

/** The share of the limits that one request holds. */
export interface Place {
  /** Changes its size, once the actual one is known, and says whether that fits; if not, the place stays as it is. */
  resize(bytes: number): boolean;
  /** Keeps the place, even after the request, until the returned function is called. */
  share(): () => void;
  leave(): void;
}

/** The requests, and bytes of bodies, that are being read or are waiting for the queue. */
export class Load {
  readonly #metrics: GatewayMetrics;
  readonly #limits: LoadLimits;
  #bytes = 0;
  #requests = 0;

  constructor(metrics: GatewayMetrics, limits: LoadLimits = loadLimits) {
    this.#metrics = metrics;
    this.#limits = limits;
  }

  /** Returns a place, or the limit that is reached. */
  enter(bytes: number): Place | "shed_bytes" | "shed_requests" {
    if (this.#requests >= this.#limits.requestsMax) return "shed_requests";
    if (this.#bytes + bytes > this.#limits.bytesMax) return "shed_bytes";
    this.#change(1, bytes);
    let held = bytes;
    let users = 1;
    const leave = (): void => {
      users -= 1;
      if (users === 0) this.#change(-1, -held);
    };
    // A client can disconnect while its body is still being unpacked, and the work may go on without it.
    return {
      resize: (actual) => {
        const own = users > 0 ? held : 0;
        if (actual > held && this.#bytes - own + actual > this.#limits.bytesMax) return false;
        if (users > 0) this.#change(0, actual - held);
        held = actual;
        return true;
      },
      share: () => {
        if (users === 0) this.#change(1, held);
        users += 1;
        return leave;
      },
      leave,
    };
  }

  #change(requests: number, bytes: number): void {
    this.#requests += requests;
    this.#bytes += bytes;
    this.#metrics.requestsUnderWay.inc(requests);
    this.#metrics.bytesUnderWay.inc(bytes);
  }
}
