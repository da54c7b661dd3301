import { VirtualTime } from "./virtual-time.ts";

/** Turns of the event loop without any activity after which nothing is under way. */
const quietTurnsMin = 4;
const turnsMax = 5_000;
const realSetImmediate = setImmediate;

/** Something that happens in a system at a time. */
interface Planned {
  readonly at: number;
  readonly run: () => Promise<void> | void;
}

/**
 * Moves the clock of a system: to whatever is due next, once everything under way has come as far as it can without time
 * passing.
 */
export class Conductor {
  readonly time: VirtualTime;
  readonly #planned: Planned[] = [];

  constructor(startAt: number) {
    this.time = new VirtualTime(startAt);
  }

  get now(): number {
    return this.time.now;
  }

  plan(at: number, run: Planned["run"]): void {
    const after = this.#planned.findIndex((one) => one.at > at);
    this.#planned.splice(after < 0 ? this.#planned.length : after, 0, { at, run });
  }

  /** Runs until `until`. */
  async runUntil(until: number): Promise<void> {
    while (this.now < until) {
      await this.settle();
      const to = Math.max(this.now, Math.min(until, this.#planned[0]?.at ?? until, this.time.due));
      this.time.runDue(to);
      while (this.#planned[0] && this.#planned[0].at <= this.now) await this.#planned.shift()?.run();
    }
  }

  /** Runs what is due, in steps, until it is done or so much time has passed. Nothing that is planned happens meanwhile. */
  async runUntilDone(isDone: () => boolean, maxMs: number): Promise<void> {
    for (const until = this.now + maxMs; !isDone() && this.now < until; ) {
      await this.settle();
      if (!isDone()) this.time.runDue(Math.min(until, this.time.due));
    }
  }

  /** Waits until nothing happens any longer at this time. */
  async settle(): Promise<void> {
    let before = -1;
    for (let turn = 0, quiet = 0; turn < turnsMax && quiet < quietTurnsMin; turn++) {
      await new Promise((resolve) => realSetImmediate(resolve));
      quiet = this.time.activity === before ? quiet + 1 : 0;
      before = this.time.activity;
    }
  }
}
