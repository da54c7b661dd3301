import { close, closeSync, open, openSync, unlink, unlinkSync, utimes, write, writeSync } from "node:fs";

/**
 * One process's file: lines are appended, and it is removed as a whole. It comes into being with its first line, and
 * each of its lines stands for itself, so that one that was cut off harms none after it.
 */
export class SpoolFile {
  readonly path: string;
  readonly #firstLine: () => string;
  readonly #bytesMax: number;
  #descriptor: number | undefined;
  #isOpening = false;
  #bytes = 0;
  #isTorn = false;

  constructor(path: string, firstLine: () => string, bytesMax: number) {
    this.path = path;
    this.#firstLine = firstLine;
    this.#bytesMax = bytesMax;
  }

  /** Whether nothing is in it. */
  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Whether it holds so much that there may soon be no room. */
  get isHalfFull(): boolean {
    return 2 * this.#bytes > this.#bytesMax;
  }

  /** Whether so many more bytes are within its bound. */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#bytesMax;
  }

  /** Adds lines. Rejects when the disk does not take all of them. */
  async append(lines: readonly string[]): Promise<void> {
    const descriptor = this.#descriptor ?? (await this.#opened());
    const data = this.#toWrite(lines);
    this.#isTorn = true;
    const written = await promised<number>((done) => write(descriptor, data, done));
    this.#wrote(written, data.length);
  }

  /** {@link append} without an event loop. Throws when the disk doesn't take all of the lines. */
  appendSync(lines: readonly string[]): void {
    this.#descriptor ??= openSync(this.path, "a", 0o600);
    const data = this.#toWrite(lines);
    this.#wrote(writeSync(this.#descriptor, data), data.length);
  }

  /** Marks the process as alive. Rejects when the file was removed. */
  async touch(now: number): Promise<void> {
    if (this.#descriptor === undefined) return;
    await promised<void>((done) => utimes(this.path, now / 1_000, now / 1_000, done));
  }

  /** Ends the writing; the file stays. */
  async close(): Promise<void> {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) await promised<void>((done) => close(descriptor, done));
  }

  /** Ends the writing and removes the file. */
  async remove(): Promise<void> {
    if (this.#descriptor === undefined) return;
    await this.close();
    await promised<void>((done) => unlink(this.path, done));
  }

  /** {@link remove} without an event loop. */
  removeSync(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined && !this.#isOpening) return;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
    unlinkSync(this.path);
  }

  async #opened(): Promise<number> {
    this.#isOpening = true;
    const opened = await promised<number>((done) => open(this.path, "a", 0o600, done));
    this.#isOpening = false;
    const meanwhile = this.#descriptor;
    this.#descriptor ??= opened;
    // What had no time to wait was faster.
    if (meanwhile !== undefined) await promised<void>((done) => close(opened, done));
    return this.#descriptor;
  }

  /** With the line that a new file starts with, and apart from what was cut off. */
  #toWrite(lines: readonly string[]): Buffer {
    const first = this.#bytes === 0 ? [this.#firstLine()] : [];
    return Buffer.from(`${this.#isTorn ? "\n" : ""}${[...first, ...lines].join("\n")}\n`);
  }

  #wrote(written: number, wanted: number): void {
    this.#bytes += written;
    this.#isTorn = written < wanted;
    if (this.#isTorn) throw new Error("the disk took a part only");
  }
}

function promised<Value>(run: (done: (error: Error | null, value?: Value) => void) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    run((error, value) => {
      if (error) reject(error);
      else resolve(value as Value);
    });
  });
}
