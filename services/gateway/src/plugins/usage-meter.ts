import { dayMs } from "@whence/protocol";
import type { UsageLedger } from "@whence/storage";
import type { GatewayMetrics } from "../metrics.ts";

interface Usage {
  readonly organizationId: string;
  /** UTC, `2026-03-01`. */
  readonly day: string;
  /** The total of all gateways in the ledger's last answer. */
  total: number;
  /** Events that aren't in the ledger yet. */
  pending: number;
}

/**
 * Events accepted today, by organization: this gateway's own immediately, the others' as of the last flush. Counts that
 * the ledger doesn't accept are added to the next flush.
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

  /** Returns today's events, as far as this gateway knows. */
  used(organizationId: string): number {
    const { total, pending } = this.#today(organizationId);
    return total + pending;
  }

  add(organizationId: string, events: number): void {
    this.#today(organizationId).pending += events;
  }

  /** Milliseconds until the next day. */
  msUntilTomorrow(): number {
    return dayMs - (this.#clock() % dayMs);
  }

  /** Writes pending counts and reads the totals. Never rejects; runs one at a time. */
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
      // Counted only; readiness reports the database's state. The events stay pending.
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
