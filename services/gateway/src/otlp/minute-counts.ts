import { minuteMs } from "@whence/protocol";

/** Counts by organization, within the current minute. */
export class MinuteCounts {
  readonly #clock: () => number;
  #minute = 0;
  #counts = new Map<string, number>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Counts one more of the organization, unless it has `max` already. Returns whether it was counted. */
  add(organizationId: string, max: number): boolean {
    const count = this.of(organizationId);
    if (count >= max) return false;
    this.#counts.set(organizationId, count + 1);
    return true;
  }

  /** Returns what is counted of the organization. */
  of(organizationId: string): number {
    const minute = Math.floor(this.#clock() / minuteMs);
    if (minute !== this.#minute) [this.#minute, this.#counts] = [minute, new Map()];
    return this.#counts.get(organizationId) ?? 0;
  }

  /** Takes counted ones of the organization back. */
  subtract(organizationId: string, count: number): void {
    const left = (this.#counts.get(organizationId) ?? 0) - count;
    if (left > 0) this.#counts.set(organizationId, left);
    else this.#counts.delete(organizationId);
  }
}
