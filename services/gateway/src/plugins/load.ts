import type { GatewayMetrics } from "../metrics.ts";

/**
 * Limits of concurrent work. A body is in memory two or three times on its way to the queue, so this is a third of the
 * memory it may take.
 */
export const loadLimits = { bytesMax: 64 * 1_048_576, requestsMax: 1_000 } as const;
/** The same for requests whose key is in their body, so that they can't keep others out before they are known. */
export const keylessLoadLimits = { bytesMax: 16 * 1_048_576, requestsMax: 50 } as const;
/** How much of the limits one organization may hold, so that its slow clients leave room for the others. */
export const organizationShare = 0.75;

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

/** What requests hold of the limits that apply to them. */
interface Held {
  bytes: number;
  requests: number;
}

/** The requests, and bytes of bodies, that are being read or are waiting for the queue. */
export class Load {
  readonly #metrics: GatewayMetrics;
  readonly #limits: LoadLimits;
  readonly #all: Held = { bytes: 0, requests: 0 };
  /** By the id of an organization, while it has requests. */
  readonly #own = new Map<string, Held>();

  constructor(metrics: GatewayMetrics, limits: LoadLimits = loadLimits) {
    this.#metrics = metrics;
    this.#limits = limits;
  }

  /** Returns a place, or the limit that is reached. Requests without an organization are bounded together only. */
  enter(bytes: number, organization: string | null = null): Place | "shed_bytes" | "shed_requests" {
    if (!this.#fits("requests", 1, organization)) return "shed_requests";
    if (!this.#fits("bytes", bytes, organization)) return "shed_bytes";
    this.#change(organization, 1, bytes);
    let held = bytes;
    let users = 1;
    const leave = (): void => {
      users -= 1;
      if (users === 0) this.#change(organization, -1, -held);
    };
    // A client can disconnect while its body is still being unpacked, and the work may go on without it.
    return {
      resize: (actual) => {
        const own = users > 0 ? held : 0;
        if (actual > held && !this.#fits("bytes", actual - own, organization)) return false;
        if (users > 0) this.#change(organization, 0, actual - held);
        held = actual;
        return true;
      },
      share: () => {
        if (users === 0) this.#change(organization, 1, held);
        users += 1;
        return leave;
      },
      leave,
    };
  }

  #fits(what: keyof Held, more: number, organization: string | null): boolean {
    const max = what === "bytes" ? this.#limits.bytesMax : this.#limits.requestsMax;
    const isWithin = this.#all[what] + more <= max;
    if (organization === null) return isWithin;
    return isWithin && (this.#own.get(organization)?.[what] ?? 0) + more <= organizationShare * max;
  }

  #change(organization: string | null, requests: number, bytes: number): void {
    const own = organization === null ? null : (this.#own.get(organization) ?? { bytes: 0, requests: 0 });
    for (const held of own ? [this.#all, own] : [this.#all]) {
      held.requests += requests;
      held.bytes += bytes;
    }
    if (organization !== null && own) {
      if (own.requests === 0) this.#own.delete(organization);
      else this.#own.set(organization, own);
    }
    this.#metrics.requestsUnderWay.inc(requests);
    this.#metrics.bytesUnderWay.inc(bytes);
  }
}
