import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { running, type SimulatedProcess } from "./process-context.ts";

type Callback = (...args: unknown[]) => void;

const RealDate = Date;
const realNow = performance.now.bind(performance);
const real = {
  setTimeout: timers.setTimeout,
  setInterval: timers.setInterval,
  clearTimeout: timers.clearTimeout,
  clearInterval: timers.clearInterval,
  wait: timersPromises.setTimeout,
};
const nanosecondsPerMs = 1_000_000;

/** A timer of a simulated process, in the form that Node gives its own. */
class VirtualTimer {
  readonly owner: SimulatedProcess;
  readonly run: () => void;
  readonly repeatMs: number | null;
  due: number;
  readonly #time: VirtualTime;
  readonly #delayMs: number;

  constructor(time: VirtualTime, owner: SimulatedProcess, run: () => void, delayMs: number, isRepeated: boolean) {
    this.#time = time;
    this.owner = owner;
    this.#delayMs = Math.max(1, Number(delayMs) || 1);
    this.run = run;
    this.repeatMs = isRepeated ? this.#delayMs : null;
    this.due = time.now + this.#delayMs;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.due = this.#time.now + this.#delayMs;
    this.#time.timers.add(this);
    return this;
  }

  close(): this {
    this.#time.timers.delete(this);
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The clock of a system. It stands still until it is moved, so a slow machine changes nothing of what happens. */
export class VirtualTime {
  /** Milliseconds since 1970. */
  now: number;
  /** Grows with whatever happens. */
  activity = 0;
  readonly timers = new Set<VirtualTimer>();

  constructor(startAt: number) {
    this.now = startAt;
  }

  /** When the next timer is due; infinite when there is none. */
  get due(): number {
    return this.#first()?.due ?? Number.POSITIVE_INFINITY;
  }

  after(owner: SimulatedProcess, delayMs: number, run: () => void): void {
    this.timers.add(new VirtualTimer(this, owner, run, delayMs, false));
  }

  /** Moves to a time at which the next timers are due, and runs them. */
  runDue(to: number): void {
    this.now = Math.max(this.now, to);
    for (let next = this.#first(); next && next.due <= this.now; next = this.#first()) {
      if (next.repeatMs === null) this.timers.delete(next);
      else next.due = this.now + next.repeatMs;
      this.activity++;
      running.run(next.owner, next.run);
    }
  }

  /** A process that ended, or hangs, has no timers. */
  forget(owner: SimulatedProcess): void {
    for (const timer of this.timers) if (timer.owner === owner) this.timers.delete(timer);
  }

  #first(): VirtualTimer | undefined {
    let first: VirtualTimer | undefined;
    for (const timer of this.timers) if (!first || timer.due < first.due) first = timer;
    return first;
  }
}

/** Has code that runs in a simulated process see this clock. Everything else keeps the machine's. */
export function installVirtualTime(current: () => VirtualTime): void {
  const bound = (callback: Callback, args: unknown[]): (() => void) => {
    const run = AsyncLocalStorage.snapshot();
    return () => run(callback, ...args);
  };
  const set = (isRepeated: boolean, ordinary: (...args: never[]) => unknown) =>
    function setTimer(callback: Callback, delayMs = 1, ...args: unknown[]): unknown {
      const owner = running.getStore();
      if (!owner) return Reflect.apply(ordinary, undefined, [callback, delayMs, ...args]);
      const timer = new VirtualTimer(current(), owner, bound(callback, args), delayMs, isRepeated);
      if (owner.state === "running") current().timers.add(timer);
      return timer;
    };
  const clear = (ordinary: Callback) =>
    function clearTimer(timer: unknown): void {
      if (timer instanceof VirtualTimer) timer.close();
      else ordinary(timer);
    };
  const replaced = {
    setTimeout: set(false, real.setTimeout),
    setInterval: set(true, real.setInterval),
    clearTimeout: clear(real.clearTimeout as Callback),
    clearInterval: clear(real.clearInterval as Callback),
  };
  Object.assign(globalThis, replaced);
  Object.assign(timers, replaced);
  const wait = (delayMs: number, value?: unknown, options?: object): Promise<unknown> =>
    running.getStore()
      ? new Promise((resolve) => replaced.setTimeout(() => resolve(value), delayMs))
      : real.wait(delayMs, value, options);
  Object.assign(timersPromises, { setTimeout: wait });
  installAbortAfter(replaced.setTimeout);
  installDate(current);
  syncBuiltinESMExports();
}

function installAbortAfter(set: (callback: Callback, delayMs: number) => unknown): void {
  const ordinary = AbortSignal.timeout.bind(AbortSignal);
  const value = (delayMs: number): AbortSignal => {
    if (!running.getStore()) return ordinary(delayMs);
    const controller = new AbortController();
    const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    set(() => controller.abort(reason), delayMs);
    return controller.signal;
  };
  Object.defineProperty(AbortSignal, "timeout", { value, configurable: true });
}

function installDate(current: () => VirtualTime): void {
  const wallMs = (): number => {
    const owner = running.getStore();
    return owner ? current().now + owner.skewMs : RealDate.now();
  };
  class SeenDate extends RealDate {
    constructor(...args: []) {
      if (args.length === 0) super(wallMs());
      else super(...args);
    }

    static override now(): number {
      return wallMs();
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate;
    }
  }
  globalThis.Date = SeenDate as DateConstructor;
  const elapsedMs = (): number => {
    const owner = running.getStore();
    return owner ? current().now - owner.startedAt : realNow();
  };
  Object.defineProperty(performance, "now", { value: elapsedMs });
  const ordinary = process.hrtime.bigint.bind(process.hrtime);
  const bigint = (): bigint => (running.getStore() ? BigInt(Math.round(elapsedMs() * nanosecondsPerMs)) : ordinary());
  process.hrtime.bigint = bigint;
  const uptime = process.uptime.bind(process);
  process.uptime = () => (running.getStore() ? elapsedMs() / 1_000 : uptime());
}
