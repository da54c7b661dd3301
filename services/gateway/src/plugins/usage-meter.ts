import { dayMs } from "@whence/protocol";
import type { UsageLedger } from "@whence/storage";
import type { GatewayMetrics } from "../metrics.ts";

interface Usage {
  readonly organizationId: string;
  /** UTC, `2026-03-01`. */
  readonly day: string;
  /** All gateways together, as the ledger said last. */
  total: number;
  /** Not in the ledger yet. */
  pending: number;
}

/**
 * Events accepted today by organization: this gateway's own at once, the others' as of the last flush. What the ledger
 * does not take is kept and added to the next flush.
 */
export class UsageMeter {
  readonly #ledger: UsageLedger;
  readonly #clock: () => number;
  readonly #metrics: GatewayMetrics;
  readonly #usages = new Map<string, Usage>();
  #flushing: Promise<void> | null = null;

  constructor(ledger: UsageLedger, clock: () => number, metrics: GatewayMetrics) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#metrics = metrics;
  }

  /** Events of today, as far as is known. */
  used(organizationId: string): number {
    const { total, pending } = this.#today(organizationId);
    return total + pending;
  }

  add(organizationId: string, events: number): void {
    this.#today(organizationId).pending += events;
  }

  /** Milliseconds until a new day begins. */
  msUntilTomorrow(): number {
    return dayMs - (this.#clock() % dayMs);
  }

  /** Writes what is pending and reads the totals. Never rejects; one at a time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flushAll(): Promise<void> {
    const today = this.#day();
    for (const [key, usage] of this.#usages) {
      await this.#flushOne(usage);
      if (usage.day !== today && usage.pending === 0) this.#usages.delete(key);
    }
  }

  async #flushOne(usage: Usage): Promise<void> {
    const events = usage.pending;
    if (events === 0 && usage.day !== this.#day()) return;
    try {
      const total = await this.#ledger.add(usage.organizationId, usage.day, events);
      usage.pending -= events;
      usage.total = total;
    } catch {
      // Counted; the database's own state is seen in the readiness. The events stay pending.
      this.#metrics.usageFailures.inc();
    }
  }

  #today(organizationId: string): Usage {
    const day = this.#day();
    const key = `${day} ${organizationId}`;
    const known = this.#usages.get(key);
    if (known) return known;
    const usage: Usage = { organizationId, day, total: 0, pending: 0 };
    this.#usages.set(key, usage);
    return usage;
  }

  #day(): string {
    return new Date(this.#clock()).toISOString().slice(0, 10);
  }
}
