import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { Orders } from "./orders.ts";
import type { TestRuns } from "./test-runs.ts";
import type { WrittenPart } from "./written-hits.ts";

/** How often it is written at most, and the share of the program's time that this takes. */
const writtenEveryMs = 20;
const shareForWriting = 1 / 5;
// A program may replace these.
const [write, rename] = [writeFileSync, renameSync];

/**
 * Writes what tests ran while they run, since Vitest ends its processes by a signal. Each time replaces what was written
 * before, in a file of its own: it takes no room from the stops.
 */
export class WrittenTestRuns {
  readonly #runs: TestRuns;
  readonly #orders: Orders;
  readonly #thread = `${process.pid}-${threadId}`;
  readonly #clock = performance.now.bind(performance);
  #dueMs = 0;
  #hasFailed = false;

  constructor(runs: TestRuns, orders: Orders) {
    this.#runs = runs;
    this.#orders = orders;
    setInterval(() => this.writeNew(), writtenEveryMs).unref();
  }

  /** Writes what is new, if that is due; the failure is at once. */
  writeNew(): void {
    const isDue = this.#clock() >= this.#dueMs || this.#runs.hasFailed !== this.#hasFailed;
    if (isDue && this.#runs.hasNew) this.write();
  }

  write(): void {
    const began = this.#clock();
    this.#hasFailed = this.#runs.hasFailed;
    this.#replace();
    const ended = this.#clock();
    this.#dueMs = ended + (ended - began) / shareForWriting;
  }

  #replace(): void {
    const ran = this.#runs.found(this.#orders.ranFunctionsMax);
    const tests = this.#runs.all();
    if (tests.length === 0) return;
    const part: WrittenPart = { thread: this.#thread, places: [], files: [], hits: [], ...(ran && { ran }), tests };
    const text = `${JSON.stringify(part)}\n`;
    if (text.length > this.#orders.writtenLengthMax) return;
    const file = join(this.#orders.folder, `${this.#thread}-tests`);
    try {
      // A process that is killed meanwhile leaves what was written before.
      write(file, text);
      rename(file, `${file}.jsonl`);
    } catch {
      // The folder is gone: the run that ordered it has ended.
    }
  }
}
