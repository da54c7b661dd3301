import { appendFileSync } from "node:fs";
import { join, sep } from "node:path";
import { threadId } from "node:worker_threads";
import type { CalledAt } from "./called-at.ts";
import type { Orders } from "./orders.ts";
import type { WrittenTestRun, WrittenTests } from "./test-runs.ts";

/** A stop, as a watched process writes it. */
export interface WrittenHit extends CalledAt {
  readonly kind: "reached" | "returned" | "threw";
  /** Which stop at its breakpoint it is, counted from 1; 0 for a throw and for what was followed. */
  readonly nth: number;
  /** Milliseconds since the process began. */
  readonly at_ms: number;
  readonly values: Readonly<Record<string, string>>;
  readonly returned?: string;
  /** The first line of the error that was thrown. */
  readonly error?: string;
  readonly callers: readonly CalledAt[];
}

/** One line of a file that a watched process writes. */
export interface WrittenPart {
  /** The process and its thread. */
  readonly thread: string;
  /** What is known of each place whose code was loaded, by its index. */
  readonly places: readonly { readonly place: number; readonly hits: number; readonly is_complete: boolean }[];
  /** The files of the tree whose code was loaded since the part before, by their absolute paths. */
  readonly files: readonly string[];
  readonly hits: readonly WrittenHit[];
  /** What the failing test ran, as far as that is known by then. */
  readonly ran?: WrittenTestRun;
  /** What all tests of the thread ran by then; absent where none is known. */
  readonly tests?: readonly WrittenTests[];
}

const throwsKeptMax = 20;
const followedKeptMax = 400;
/** The share of what a process may write that is for the end, when the failure was thrown last. */
const lastShare = 1 / 4;
const append = appendFileSync;
const packages = `${sep}node_modules${sep}`;

/** Keeps the latest stops at each place, and writes them when the failure occurs or the thread ends. */
export class WrittenHits {
  readonly #orders: Orders;
  readonly #file: string;
  readonly #thread = `${process.pid}-${threadId}`;
  readonly #counts = new Map<number, { hits: number; is_complete: boolean }>();
  readonly #kept = new Map<string, WrittenHit[]>();
  readonly #files = new Set<string>();
  #filesWritten = 0;
  #hasNew = false;
  #room: number;

  constructor(orders: Orders) {
    this.#orders = orders;
    this.#file = join(orders.folder, `${this.#thread}.jsonl`);
    this.#room = orders.writtenLengthMax;
  }

  /** Says that the code of a file was loaded, if it is one of the tree. */
  loadedFile(path: string): void {
    const { base, loadedFilesMax } = this.#orders;
    if (this.#files.size >= loadedFilesMax || this.#files.has(path)) return;
    if (!path.startsWith(base + sep) || path.includes(packages)) return;
    this.#files.add(path);
    this.#hasNew = true;
  }

  /** Says that the code of a place was loaded. */
  loaded(place: number): void {
    if (this.#counts.has(place)) return;
    this.#counts.set(place, { hits: 0, is_complete: true });
    this.#hasNew = true;
  }

  /** Counts a stop; returns how often the place was reached. */
  count(place: number): number {
    const count = this.#counts.get(place) ?? { hits: 0, is_complete: true };
    this.#counts.set(place, count);
    count.hits += 1;
    return count.hits;
  }

  giveUp(places: Iterable<number>): void {
    for (const place of places)
      this.#counts.set(place, { hits: this.#counts.get(place)?.hits ?? 0, is_complete: false });
    this.#hasNew = true;
  }

  /** The places whose code was loaded. */
  get places(): Iterable<number> {
    return [...this.#counts.keys()];
  }

  keep(hit: WrittenHit, key: string): void {
    const kept = this.#kept.get(key) ?? [];
    this.#kept.set(key, kept);
    kept.push(hit);
    if (kept.length > this.#keptMax(hit)) kept.shift();
    this.#hasNew = true;
  }

  #keptMax({ kind, nth }: WrittenHit): number {
    if (kind === "threw") return throwsKeptMax;
    return nth === 0 ? followedKeptMax : this.#orders.hitsPerPlaceMax;
  }

  /** Writes what is kept. Some of the room is for the last time: what doesn't fit before waits for it. */
  write(isLast = false): void {
    if (!this.#hasNew) return;
    const hits = [...this.#kept.values()].flat().sort((one, other) => one.at_ms - other.at_ms);
    const whole = this.#text(hits);
    const fits = whole.length <= this.#room - (isLast ? 0 : this.#orders.writtenLengthMax * lastShare);
    if (!fits && !isLast) return;
    const text = fits ? whole : this.#text(latest(hits, this.#room - this.#text([]).length));
    this.#hasNew = false;
    this.#kept.clear();
    this.#filesWritten = this.#files.size;
    this.#room -= text.length;
    try {
      append(this.#file, text);
    } catch {
      // The folder is gone: the run that ordered it has ended.
    }
  }

  #text(hits: readonly WrittenHit[]): string {
    const places = [...this.#counts].map(([place, count]) => ({ place, ...count }));
    const files = [...this.#files].slice(this.#filesWritten);
    const part: WrittenPart = { thread: this.#thread, places, files, hits };
    return `${JSON.stringify(part)}\n`;
  }
}

/** Returns the latest stops that fit, throws before others, in the order of their time. */
function latest(hits: readonly WrittenHit[], lengthMax: number): WrittenHit[] {
  const isThrow = ({ kind }: WrittenHit): boolean => kind === "threw";
  const newest = [...hits].reverse();
  const chosen = new Set<WrittenHit>();
  let room = lengthMax;
  for (const hit of [...newest.filter(isThrow), ...newest.filter((one) => !isThrow(one))]) {
    room -= JSON.stringify(hit).length + 1;
    if (room < 0) break;
    chosen.add(hit);
  }
  return hits.filter((hit) => chosen.has(hit));
}
