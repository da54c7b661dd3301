import { type WatchAnswer, type WatchNote, watchLimits } from "@whence/protocol";
import type { PlaceWatchScope, ProcessAnswer, Scoped, WatchedProgram } from "@whence/storage";
import { LRUCache } from "lru-cache";
import { settleWithin } from "./settle-within.ts";

/** How long what is asked of a program is remembered, so that each batch doesn't cost a query. */
const rememberedMs = 2_000;
/** How long an answer to a batch waits for the control database. */
const waitedMs = 250;
const rememberedProgramsMax = 10_000;
const rememberedOrdersMax = 1_000;
const processesMax = watchLimits.watchProcessesMax;
/** How often what processes did with one order is written, at most. */
const notedEveryMs = 2_000;

/** A running program, and the organization that it belongs to. */
export interface OwnedProgram extends WatchedProgram {
  readonly scopeId: string;
}

interface Entry {
  /** Undefined while the database hasn't answered. */
  readonly answer: WatchAnswer | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What processes did with an order. */
interface Noted {
  /** By their instances: what was written, and what wasn't yet. */
  readonly written: LRUCache<string, string>;
  readonly waiting: Map<string, ProcessAnswer>;
  /** When it was written last, in milliseconds since 1970. */
  at: number;
}

/** The orders for the programs that allow to be asked, as last read from the control database. */
export class WatchOrders {
  readonly #control: Scoped<PlaceWatchScope>;
  readonly #clock: () => number;
  readonly #entries = new LRUCache<string, Entry>({ max: rememberedProgramsMax });
  /** What is being asked of the database now: once for each program. */
  readonly #reading = new Map<string, Promise<WatchAnswer | undefined>>();
  /** By order, so that each change is written once. */
  readonly #noted = new LRUCache<string, Noted>({ max: rememberedOrdersMax });

  constructor(control: Scoped<PlaceWatchScope>, clock: () => number) {
    this.#control = control;
    this.#clock = clock;
  }

  /**
   * Resolves with the order for a program, and notes what its process of this instance did with the one before. Never rejects: without
   * an answer of the database, with what was known, and with nothing where that isn't known: processes end their watch
   * when the answer is that none is asked for.
   */
  async answer(program: OwnedProgram, instance: string, note: WatchNote): Promise<WatchAnswer | undefined> {
    void this.#note(program.scopeId, instance, note);
    const known = this.#entries.get(keyOf(program));
    if (known && this.#clock() - known.at < rememberedMs) return known.answer;
    return settleWithin(waitedMs, this.#read(program), known?.answer);
  }

  #read(program: OwnedProgram): Promise<WatchAnswer | undefined> {
    const key = keyOf(program);
    const reading = this.#reading.get(key) ?? this.#ask(program).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #ask(program: OwnedProgram): Promise<WatchAnswer | undefined> {
    const key = keyOf(program);
    const now = this.#clock();
    try {
      const found = await this.#control.scope(program.scopeId).placeWatches.runningIn(program, new Date(now));
      const answer = found ? { key: found.key, order: found.order } : { order: null };
      this.#entries.set(key, { answer, at: now });
      return answer;
    } catch {
      // Readiness reports a database that doesn't answer. Until it does, it is asked no more often than otherwise.
      const answer = this.#entries.get(key)?.answer;
      this.#entries.set(key, { answer, at: now });
      return answer;
    }
  }

  /** Each process says it with each batch, so what waits is written with a later one. */
  async #note(scopeId: string, instance: string, { order, state, ...note }: WatchNote): Promise<void> {
    if (order === undefined || state === undefined) return;
    const reason = note.reason ?? null;
    const key = JSON.stringify([scopeId, order]);
    const noted = this.#noted.get(key) ?? { written: new LRUCache({ max: processesMax }), waiting: new Map(), at: 0 };
    this.#noted.set(key, noted);
    const isKnown = noted.written.get(instance) === JSON.stringify([state, reason]);
    if (!isKnown && noted.waiting.size < processesMax) noted.waiting.set(instance, { state, reason });
    const now = this.#clock();
    if (noted.waiting.size === 0 || now - noted.at < notedEveryMs) return;
    const became = new Map(noted.waiting);
    noted.at = now;
    noted.waiting.clear();
    try {
      await this.#control.scope(scopeId).placeWatches.note(order, became, new Date(now));
      for (const [one, said] of became) noted.written.set(one, JSON.stringify([said.state, said.reason]));
    } catch {
      // The next batch of each process says it again.
    }
  }
}

function keyOf({ scopeId, service, env, release }: OwnedProgram): string {
  return JSON.stringify([scopeId, service, env, release]);
}
