import { isAgentScope } from "@whence/storage";

/** Returns a share. Calling it again does nothing. */
export type Release = () => void;

export interface ShareBounds {
  readonly perOwnerMax: number;
  /** The limit for all owners together. */
  readonly totalMax?: number;
}

/** A resource of this process that owners hold part of for a while, each up to a limit. */
export class Shares {
  readonly #perOwnerMax: number;
  readonly #totalMax: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor({ perOwnerMax, totalMax = Number.POSITIVE_INFINITY }: ShareBounds) {
    this.#perOwnerMax = perOwnerMax;
    this.#totalMax = totalMax;
  }

  /** Null when the owner, or all together, would hold more than they may. */
  take(owner: string, amount: number, perOwnerMax: number = this.#perOwnerMax): Release | null {
    if (this.held(owner) + amount > perOwnerMax || this.#total + amount > this.#totalMax) return null;
    this.#change(owner, amount);
    let isHeld = true;
    return () => {
      if (isHeld) this.#change(owner, -amount);
      isHeld = false;
    };
  }

  held(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  #change(owner: string, amount: number): void {
    const held = this.held(owner) + amount;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    this.#total += amount;
  }
}

/** The holder of a share: an organization, or all unclaimed agents together, since anyone may register many. */
export function shareOwner(scopeId: string): string {
  return isAgentScope(scopeId) ? "unclaimed agents" : scopeId;
}
