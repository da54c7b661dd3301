import type { Dropped } from "@whence/protocol";
import { isFatal, type NumberedEvent } from "../../core/event.ts";
import { nativeTimers } from "../../runtime/native-timers.ts";
import * as sdkLimits from "../../sdk-limits.ts";
import type { SourceContexts } from "../../source/source-context.ts";
import { type ApproveEvent, type BatchHeader, type EncodeEvent, eventsWithSource } from "../batch.ts";
import type { EventQueue } from "../queue.ts";
import { droppedLine } from "./spool-contents.ts";
import { SpoolFile } from "./spool-file.ts";
import type { SpoolFolder } from "./spool-folder.ts";

export interface SpoolParts {
  readonly folder: SpoolFolder;
  readonly header: () => BatchHeader;
  readonly encode: EncodeEvent;
  readonly approve: ApproveEvent;
  readonly sources: SourceContexts;
  /** The queue in memory. */
  readonly queue: Pick<EventQueue, "all">;
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Called with events that were evicted from memory because they should have been kept here, and are lost now. */
  readonly onLost: (seqs: readonly number[]) => void;
}

/** A file that is no longer written to, and the events that exist only in it. */
export interface SettledFile {
  readonly path: string;
  readonly seqs: ReadonlySet<number>;
}

/**
 * Events kept on disk as well as in memory, for a process that ends before they are sent.
 *
 *     add ──► pending ──next turn──► file ──settled──► gone
 *                │                    │ └──rescued by the next process, when this one ends before
 *                │                    └──settled, when some were evicted from memory──► a file to send
 *                └──no room, or no disk──► in memory only
 */
export class Spool {
  readonly #parts: SpoolParts;
  #file: SpoolFile | undefined;
  #pending: NumberedEvent[] = [];
  #underWay: readonly NumberedEvent[] = [];
  /** Numbers of the events in the file, and of those that exist nowhere else. */
  #written = new Set<number>();
  #onlyHere = new Set<number>();
  /** The events themselves, as written: a changed event is another object. */
  #asWritten = new WeakSet<NumberedEvent>();
  /** Serializes access to the file. */
  #turn: Promise<unknown> = Promise.resolve();
  #isWriteDue = false;
  #retryAt = 0;
  #failures = 0;

  constructor(parts: SpoolParts) {
    this.#parts = parts;
  }

  /** The number of disk failures. */
  get failures(): number {
    return this.#failures;
  }

  /** Adds an event, which is written in the next turn, or together with others once the current write is done. */
  add(event: NumberedEvent): void {
    if (this.#pending.length >= sdkLimits.spoolPendingMax || this.#parts.elapsed() < this.#retryAt) return;
    this.#pending.push(event);
    this.#writeNextTurn();
  }

  /** Whether memory may evict an event, because it is stored here. */
  keeps({ seq }: NumberedEvent): boolean {
    const isHere = this.#written.has(seq) || [...this.#underWay, ...this.#pending].some((event) => event.seq === seq);
    if (isHere) this.#onlyHere.add(seq);
    return isHere;
  }

  /** Immediately writes the events that aren't in the file yet, while there is room: the process may end. */
  rescue(events: readonly NumberedEvent[]): void {
    this.#writeSync(this.#missing(events), [], (file, bytes) => file.hasRoomFor(bytes));
  }

  /**
   * Does what {@link rescue} does for an ending process, including dropped ranges, with room for everything in memory.
   * Returns false when the disk couldn't be used.
   */
  leave(events: readonly NumberedEvent[], dropped: readonly Dropped[]): boolean {
    return this.#writeSync(this.#missing(events), dropped, () => true);
  }

  /**
   * Called after a delivery: drops events that no longer wait in memory and weren't evicted from it. Returns a file of
   * evicted events to send, if there is one, with their numbers. Never rejects.
   */
  settled(): Promise<SettledFile | undefined> {
    return this.#exclusively(() => this.#settle(false));
  }

  /** Does what {@link settled} does, and writes waiting events to a new file, as they would be sent now. */
  rewrite(): Promise<SettledFile | undefined> {
    return this.#exclusively(() => this.#settle(true));
  }

  /** Deletes the file of a process that ends with everything delivered. */
  removeSync(): void {
    if (this.#onlyHere.size > 0) return;
    try {
      this.#file?.removeSync();
      this.#forgetFile();
    } catch {
      this.#failures += 1;
    }
  }

  /** Marks this process as alive for others. Called every few seconds. Never rejects. */
  touch(): Promise<void> {
    return this.#exclusively(async () => {
      try {
        await this.#file?.touch(this.#parts.clock());
      } catch {
        // Taken over and sent by a process that considered this one dead.
        await this.#file?.close();
        this.#forgetFile();
      }
    });
  }

  /** Writes what is pending and closes the file, which is deleted if it is empty. Never rejects. */
  close(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#write();
      await (this.#file?.isEmpty ? this.#file.remove() : this.#file?.close());
      this.#forgetFile();
    });
  }

  #missing(events: readonly NumberedEvent[]): NumberedEvent[] {
    return events.filter((event) =>
      // A fatal event may have been written before it was marked as fatal.
      isFatal(event) ? !this.#asWritten.has(event) : !this.#written.has(event.seq),
    );
  }

  #writeSync(
    missing: readonly NumberedEvent[],
    dropped: readonly Dropped[],
    hasRoom: (file: SpoolFile, bytes: number) => boolean,
  ): boolean {
    if (missing.length === 0 && dropped.length === 0) return true;
    try {
      const file = this.#open();
      const { lines, fitting } = this.#linesOf(
        missing,
        () => true,
        (bytes) => hasRoom(file, bytes),
      );
      if (dropped.length > 0) lines.push(droppedLine(dropped));
      if (lines.length > 0) file.appendSync(lines);
      this.#noteWritten(fitting);
      return true;
    } catch {
      this.#failures += 1;
      return false;
    }
  }

  async #settle(isRewritten: boolean): Promise<SettledFile | undefined> {
    const file = this.#file;
    const waiting = this.#parts.queue.all();
    const numbers = new Set(waiting.map(({ seq }) => seq));
    this.#pending = this.#pending.filter(({ seq }) => numbers.has(seq) || this.#onlyHere.has(seq));
    if (!file || file.isEmpty) return undefined;
    const unsent = waiting.filter(({ seq }) => this.#written.has(seq));
    // Under a steady load something always waits; a new file makes room then.
    if (unsent.length > 0 && !file.isHalfFull && !isRewritten) return undefined;
    const seqs = this.#onlyHere;
    this.#forgetFile();
    // The new file is written before the old one is deleted: the process may be killed at any time.
    this.#pending.unshift(...unsent);
    await this.#write();
    if (seqs.size === 0) {
      await file.remove();
      return undefined;
    }
    await file.close();
    return { path: file.path, seqs };
  }

  /** Runs after the current use of the file. Failures are counted. */
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
    this.#asWritten = new WeakSet();
  }

  /**
   * Uses no timer: if it fired together with one of the program's, stacks of promises in the program's would differ.
   */
  #writeNextTurn(): void {
    if (this.#isWriteDue) return;
    this.#isWriteDue = true;
    // Referenced, since the loop of an idle program wouldn't turn for it otherwise.
    nativeTimers.setImmediate(() => {
      this.#isWriteDue = false;
      void this.#exclusively(() => this.#write());
    });
  }

  /** Writes a few events at a time, so that the program isn't blocked. Never rejects. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      this.#underWay = this.#pending.splice(0, sdkLimits.spoolEventsPerWriteMax);
      try {
        await this.#writeEvents(this.#underWay);
      } catch {
        this.#failures += 1;
        this.#retryAt = this.#parts.elapsed() + sdkLimits.spoolRetryMs;
        this.#giveUp([...this.#underWay, ...this.#pending.splice(0)]);
      }
      this.#underWay = [];
    }
  }

  async #writeEvents(events: readonly NumberedEvent[]): Promise<void> {
    const { sources, approve } = this.#parts;
    const withSource = eventsWithSource(events);
    await sources.prepare(events, withSource);
    await Promise.all(events.map((event) => approve(event, withSource.has(event))));
    const file = this.#open();
    const { lines, fitting, excess } = this.#linesOf(
      // Rescued events are in the file in their current state.
      events.filter(({ seq }) => !this.#written.has(seq)),
      (event) => withSource.has(event),
      (bytes) => file.hasRoomFor(bytes),
    );
    this.#giveUp(excess);
    if (lines.length === 0) return;
    await file.append(lines);
    this.#noteWritten(fitting);
  }

  /** Returns the lines of events that weren't dropped, while there is room; the rest isn't written. */
  #linesOf(
    events: readonly NumberedEvent[],
    withSource: (event: NumberedEvent) => boolean,
    hasRoomFor: (bytes: number) => boolean,
  ): { readonly lines: string[]; readonly fitting: NumberedEvent[]; readonly excess: readonly NumberedEvent[] } {
    const lines: string[] = [];
    const fitting: NumberedEvent[] = [];
    let bytes = 0;
    for (const [index, event] of events.entries()) {
      const json = this.#parts.encode(event, withSource(event));
      if (json === null) continue;
      bytes += Buffer.byteLength(json) + 1;
      if (!hasRoomFor(bytes)) return { lines, fitting, excess: events.slice(index) };
      lines.push(json);
      fitting.push(event);
    }
    return { lines, fitting, excess: [] };
  }

  #noteWritten(events: readonly NumberedEvent[]): void {
    for (const event of events) {
      this.#written.add(event.seq);
      this.#asWritten.add(event);
    }
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
