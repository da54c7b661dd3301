import type { Dropped } from "@whence/protocol";
import { type BatchHeader, type EncodeEvent, eventsWithSource } from "../batch.ts";
import { isFatal, type NumberedEvent } from "../event.ts";
import { sdkLimits } from "../sdk-limits.ts";
import type { SourceContexts } from "../source-context.ts";
import { lossesLine } from "./left-overs.ts";
import { SpoolFile } from "./spool-file.ts";
import type { SpoolFolder } from "./spool-folder.ts";

export interface SpoolParts {
  readonly folder: SpoolFolder;
  readonly header: () => BatchHeader;
  readonly encode: EncodeEvent;
  readonly sources: SourceContexts;
  readonly clock: () => number;
  /** Events that memory had given up, because they were to be kept here, and that are lost now. */
  readonly onLost: (seqs: readonly number[]) => void;
}

/** A file that is written to no more, and the events in it that are nowhere else. */
export interface SettledFile {
  readonly path: string;
  readonly seqs: ReadonlySet<number>;
}

/**
 * Events that wait, on disk as well as in memory, for a process that ends before they are sent.
 *
 *     add ──► pending ──10 ms──► file ──settled──► gone
 *                │                 │ └──rescued by the next process, when this one ends before
 *                │                 └──settled, when memory gave some of them up──► a file to send
 *                └──no room, or no disk──► in memory only
 */
export class Spool {
  readonly #parts: SpoolParts;
  #file: SpoolFile | undefined;
  #pending: NumberedEvent[] = [];
  #underWay: readonly NumberedEvent[] = [];
  /** Numbers of the events in the file, and of those that are nowhere else. */
  #written = new Set<number>();
  #onlyHere = new Set<number>();
  /** The file is used by one at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #retryAt = 0;
  #failures = 0;

  constructor(parts: SpoolParts) {
    this.#parts = parts;
  }

  /** How often the disk could not be used. */
  get failures(): number {
    return this.#failures;
  }

  /** Takes an event in; it is written within some milliseconds. */
  add(event: NumberedEvent): void {
    if (this.#pending.length >= sdkLimits.spoolPendingMax || this.#parts.clock() < this.#retryAt) return;
    this.#pending.push(event);
    this.#timer ??= setTimeout(() => this.#writeSoon(), sdkLimits.spoolWriteDelayMs).unref();
  }

  /** Whether memory may give an event up, because it is here. */
  keeps({ seq }: NumberedEvent): boolean {
    const isHere = this.#written.has(seq) || [...this.#underWay, ...this.#pending].some((event) => event.seq === seq);
    if (isHere) this.#onlyHere.add(seq);
    return isHere;
  }

  /** Writes what is not yet in the file, and what is lost anyway, from a process that may run no event loop any more. */
  rescue(events: readonly NumberedEvent[], dropped: readonly Dropped[]): void {
    const lines = events
      // What ended the program may have been written before it was known to.
      .filter((event) => isFatal(event) || !this.#written.has(event.seq))
      .flatMap((event) => this.#parts.encode(event, true) ?? []);
    if (dropped.length > 0) lines.push(lossesLine(dropped));
    if (lines.length === 0) return;
    try {
      this.#open().appendNow(lines);
      for (const { seq } of events) this.#written.add(seq);
    } catch {
      this.#failures += 1;
    }
  }

  /**
   * Everything up to number `until` was delivered, but for what memory gave up. Returns the file that holds that, if
   * any, and its numbers. Never rejects.
   */
  settled(until: number): Promise<SettledFile | undefined> {
    this.#pending = this.#pending.filter(({ seq }) => seq > until || this.#onlyHere.has(seq));
    return this.#exclusively(() => this.#settle(until));
  }

  /** Removes the file of a process that ends with everything delivered. */
  removeNow(): void {
    clearTimeout(this.#timer);
    if (this.#onlyHere.size > 0) return;
    try {
      this.#file?.removeNow();
      this.#forgetFile();
    } catch {
      this.#failures += 1;
    }
  }

  /** Says to other processes that this one lives. Never rejects. */
  touch(): Promise<void> {
    return this.#exclusively(async () => {
      try {
        await this.#file?.touch(this.#parts.clock());
      } catch {
        // Taken by a process that believed this one dead, and sent by it.
        await this.#file?.close();
        this.#forgetFile();
      }
    });
  }

  /** Writes what is pending and lets go of the file, which is removed if it is empty. Never rejects. */
  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#exclusively(async () => {
      await this.#write();
      await (this.#file?.isEmpty ? this.#file.remove() : this.#file?.close());
      this.#forgetFile();
    });
  }

  async #settle(until: number): Promise<SettledFile | undefined> {
    const file = this.#file;
    // What came after that is written already: the next time, then.
    if (!file || file.isEmpty || [...this.#written].some((seq) => seq > until)) return undefined;
    const seqs = this.#onlyHere;
    if (seqs.size === 0) {
      await file.clear();
      this.#written.clear();
      return undefined;
    }
    await file.close();
    this.#forgetFile();
    return { path: file.path, seqs };
  }

  /** Runs after whatever uses the file now. What fails is counted. */
  #exclusively<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
    const turn = this.#turn.then(run).catch(() => {
      this.#failures += 1;
      return undefined;
    });
    this.#turn = turn;
    return turn;
  }

  #forgetFile(): void {
    this.#file = undefined;
    this.#written = new Set();
    this.#onlyHere = new Set();
  }

  #writeSoon(): void {
    this.#timer = undefined;
    void this.#exclusively(() => this.#write());
  }

  /** A few at a time, so that nobody else has to wait. Never rejects. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      this.#underWay = this.#pending.splice(0, sdkLimits.spoolEventsPerWriteMax);
      try {
        await this.#writeEvents(this.#underWay);
      } catch {
        this.#failures += 1;
        this.#retryAt = this.#parts.clock() + sdkLimits.spoolRetryMs;
        this.#giveUp([...this.#underWay, ...this.#pending.splice(0)]);
      }
      this.#underWay = [];
    }
  }

  async #writeEvents(events: readonly NumberedEvent[]): Promise<void> {
    const { sources, encode } = this.#parts;
    const withSource = eventsWithSource(events);
    await sources.prepare(events, withSource);
    const file = this.#open();
    const lines: string[] = [];
    const fitting: NumberedEvent[] = [];
    let bytes = 0;
    for (const event of events) {
      const json = encode(event, withSource.has(event));
      if (json === null) continue;
      bytes += Buffer.byteLength(json) + 1;
      if (!file.hasRoomFor(bytes)) {
        this.#giveUp([event]);
        continue;
      }
      lines.push(json);
      fitting.push(event);
    }
    if (lines.length === 0) return;
    await file.append(lines);
    for (const { seq } of fitting) this.#written.add(seq);
  }

  #open(): SpoolFile {
    if (this.#file) return this.#file;
    const { folder, header } = this.#parts;
    folder.prepare();
    this.#file = new SpoolFile(folder.newPath(), () => JSON.stringify(header()), sdkLimits.spoolFileBytesMax);
    return this.#file;
  }

  #giveUp(events: readonly NumberedEvent[]): void {
    const lost = events.map(({ seq }) => seq).filter((seq) => this.#onlyHere.delete(seq));
    if (lost.length > 0) this.#parts.onLost(lost);
  }
}
