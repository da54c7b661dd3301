import { close, closeSync, open, openSync, unlink, unlinkSync, utimes, write, writeSync } from "node:fs";

/**
 * One process's spool file: lines are appended, and it is deleted as a whole. Created with its first line. Each line is
 * self-contained, so an incomplete one doesn't affect the others.
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

  /** Whether the file is empty. */
  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Whether the file is half full, so that room may soon run out. */
  get isHalfFull(): boolean {
    return 2 * this.#bytes > this.#bytesMax;
  }

  /** Whether this many more bytes fit. */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#bytesMax;
  }

  /** Appends lines. Rejects when the disk doesn't accept all of them. */
  async append(lines: readonly string[]): Promise<void> {
    const descriptor = this.#descriptor ?? (await this.#opened());
    const data = this.#toWrite(lines);
    this.#isTorn = true;
    const written = await promised<number>((done) => write(descriptor, data, done));
    this.#wrote(written, data.length);
  }

  /** {@link append} without an event loop. Throws when the disk doesn't accept all of the lines. */
  appendSync(lines: readonly string[]): void {
    this.#descriptor ??= openSync(this.path, "a", 0o600);
    const data = this.#toWrite(lines);
    this.#wrote(writeSync(this.#descriptor, data), data.length);
  }

  /** Marks the process as alive. Rejects when the file was deleted. */
  async touch(now: number): Promise<void> {
    if (this.#descriptor === undefined) return;
    await promised<void>((done) => utimes(this.path, now / 1_000, now / 1_000, done));
  }

  /** Closes the file, which stays on disk. */
  async close(): Promise<void> {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) await promised<void>((done) => close(descriptor, done));
  }

  /** Closes and deletes the file. */
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
    // A synchronous write may have opened the file first.
    if (meanwhile !== undefined) await promised<void>((done) => close(opened, done));
    return this.#descriptor;
  }

  /** Prepends a new file's header line, or a line break after an incomplete line. */
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
