import type { GatewayMetrics } from "../metrics.ts";

/**
 * Bounds of what is under way at once. A body is held two or three times over on its way to the queue, so this is a
 * third of the memory it may cost.
 */
const bytesMax = 64 * 1_048_576;
const requestsMax = 1_000;

/** What one request takes of the bounds. */
export interface Place {
  /** Once the size is known for which another was assumed. */
  resize(bytes: number): void;
  /** Keeps the place taken until the returned function is called, though its request be over. */
  share(): () => void;
  leave(): void;
}

/** The requests and the bytes of bodies that are being read or wait for the queue. */
export class Load {
  readonly #metrics: GatewayMetrics;
  #bytes = 0;
  #requests = 0;

  constructor(metrics: GatewayMetrics) {
    this.#metrics = metrics;
  }

  /** A place, or what there is too much of. */
  enter(bytes: number): Place | "shed_bytes" | "shed_requests" {
    if (this.#requests >= requestsMax) return "shed_requests";
    if (this.#bytes + bytes > bytesMax) return "shed_bytes";
    this.#change(1, bytes);
    let held = bytes;
    let users = 1;
    const leave = (): void => {
      users -= 1;
      if (users === 0) this.#change(-1, -held);
    };
    // A client that goes away leaves while its body is still being unpacked, and the work may go on without it.
    return {
      resize: (actual) => {
        if (users > 0) this.#change(0, actual - held);
        held = actual;
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
    this.#metrics.requestsUnderWay.set(this.#requests);
    this.#metrics.bytesUnderWay.set(this.#bytes);
  }
}
