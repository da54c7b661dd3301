import { limits } from "@whence/protocol/limits";
import { fromJson, toJson } from "../runtime/json.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import { readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { sendableFiles } from "../source/loaded-files.ts";
import { type OnDisk, readFiles, readFilesSync } from "../source/on-disk.ts";
import { BackOff, retryAfterMs } from "./back-off.ts";
import type { BatchHeader } from "./batch.ts";
import { isAccepted } from "./batch-response.ts";
import type { HttpResponse } from "./http.ts";

export interface FileSenderParts {
  readonly header: () => BatchHeader;
  readonly postBatch: (json: Buffer) => Promise<HttpResponse>;
  readonly postFiles: (json: Buffer) => Promise<HttpResponse>;
  /** Posts from a process whose event loop has ended: blocks at most `waitMs`. */
  readonly postFilesSync: (json: Buffer, waitMs: number) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** A random number in [0, 1), which spreads the retries of many processes. */
  readonly random: () => number;
  readonly onInternalError: (error: unknown) => void;
}

interface FileContent {
  readonly path: string;
  readonly sha256: string;
  readonly content: string;
}

/**
 * Sends files of the program that an investigation lacks, when the service names them in its answer to a batch. After
 * the first batch, and after one with an exception, asks again shortly, when the investigation has begun. What didn't
 * arrive is sent when the service asks again, after a pause; after a few failures, not before a long one; or when the
 * process ends.
 */
export class FileSender {
  readonly #parts: FileSenderParts;
  readonly #backOff: BackOff;
  #failures = 0;
  /** The paths that the last answer named, and those of all answers that were already handled. */
  #wanted: readonly string[] = [];
  readonly #handled = new Set<string>();
  /** Paths that the service has. */
  readonly #sent = new Set<string>();
  #bytes = 0;
  #sending: Promise<void> | undefined;
  #hasAsked = false;
  #nextAskAt = 0;
  #timers: NodeJS.Timeout[] = [];
  #isStopped = false;

  constructor(parts: FileSenderParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.elapsed, parts.random);
  }

  /** Files sent so far. */
  get sent(): number {
    return this.#sent.size;
  }

  /** Whether the service asks for files that haven't arrived. */
  get isAsked(): boolean {
    return this.#open().length > 0;
  }

  /** What is being sent; undefined for nothing. Never rejects. */
  get sending(): Promise<void> | undefined {
    return this.#sending;
  }

  /** Handles the service's answer to an accepted batch. Resolves when the files that it names are sent; never rejects. */
  async answered(body: string, hasException: boolean): Promise<void> {
    const { elapsed } = this.#parts;
    const wanted = wantedFiles(body);
    // Without the list, the service asks for no files of this program.
    if (wanted === undefined) return;
    if (!this.#hasAsked || (hasException && elapsed() >= this.#nextAskAt)) {
      this.#hasAsked = true;
      // The first batch doesn't count: an exception may follow soon.
      if (hasException) this.#nextAskAt = elapsed() + sdkLimits.filesAskedAgainMs;
      this.#askSoon();
    }
    this.#wanted = wanted;
    const open = this.#open();
    if (open.length === 0 || this.#sending !== undefined) return;
    this.#sending = this.#send(open).finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  /**
   * Sends files from a process whose event loop has ended, after its last events: those that the answer to these names,
   * and what hasn't arrived. Blocks at most `waitMs`, and reads for half of that.
   */
  sendSync(answer: string, waitMs: number): void {
    const { elapsed, postFilesSync } = this.#parts;
    const startedAt = elapsed();
    this.#wanted = [...this.#wanted, ...(wantedFiles(answer) ?? [])];
    const open = this.#open();
    if (open.length === 0 || waitMs <= 0) return;
    const files = readFilesSync(this.#read(open), () => elapsed() - startedAt < waitMs / 2);
    if (files.length > 0) postFilesSync(this.#requestOf(files), startedAt + waitMs - elapsed());
  }

  /** Asks for no more. What is being sent, or the last events' answer names, is still sent. */
  stop(): void {
    this.#isStopped = true;
    this.#clearTimers();
  }

  #clearTimers(): void {
    for (const timer of this.#timers.splice(0)) nativeTimers.clearTimeout(timer);
  }

  #askSoon(): void {
    if (this.#isStopped) return;
    this.#clearTimers();
    const delays = [sdkLimits.filesAskedFirstMs, sdkLimits.filesAskedLastMs];
    this.#timers = delays.map((ms) => nativeTimers.setTimeout(() => void this.#ask(), ms).unref());
  }

  /** Sends a batch without events, whose answer names the wanted files. */
  async #ask(): Promise<void> {
    const { header, clock, postBatch } = this.#parts;
    const sentAt = new Date(clock()).toISOString();
    try {
      const answer = await postBatch(Buffer.from(toJson({ ...header(), sent_at: sentAt, events: [] })));
      if (isAccepted(answer)) await this.answered(answer.body, false);
    } catch {
      // The service can't be reached: the answer to a later batch names the files.
    }
  }

  /** Returns the wanted paths to handle now. */
  #open(): readonly string[] {
    if (this.#parts.header().release === undefined || this.#backOff.waitMs > 0) return [];
    const room = Math.max(0, sdkLimits.handledPathsMax - this.#handled.size);
    return this.#wanted.filter((path) => !this.#handled.has(path)).slice(0, Math.min(room, limits.wantedFilesMax));
  }

  #requestOf(files: readonly FileContent[]): Buffer {
    const { service, release } = this.#parts.header();
    return Buffer.from(toJson({ service, release, files }));
  }

  async #send(open: readonly string[]): Promise<void> {
    const { clock, onInternalError } = this.#parts;
    try {
      const files = await readFiles(this.#read(open));
      const answer = files.length === 0 ? undefined : await this.#post(this.#requestOf(files));
      if (answer && (answer.status === 0 || answer.status === 429 || answer.status >= 500)) {
        this.#failed(retryAfterMs(answer.retryAfter, clock()));
        return;
      }
      this.#failures = 0;
      this.#backOff.succeeded();
      for (const path of open) this.#handled.add(path);
      if (answer?.status !== 202) return;
      for (const { path } of files) this.#sent.add(path);
      this.#bytes += files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    } catch (error) {
      this.#failed(0);
      onInternalError(error);
    }
  }

  #failed(askedMs: number): void {
    this.#failures += 1;
    const isLast = this.#failures % sdkLimits.filesAttemptsMax === 0;
    this.#backOff.failed(Math.max(askedMs, isLast ? sdkLimits.filesTriedAgainMs : 0));
  }

  /** Returns the answer; without one, the status 0. */
  async #post(json: Buffer): Promise<Pick<HttpResponse, "status" | "retryAfter">> {
    try {
      return await this.#parts.postFiles(json);
    } catch {
      // The service can't be reached.
      return { status: 0, retryAfter: undefined };
    }
  }

  /** Reads the wanted files and those around them, within the limits of a process. */
  *#read(wanted: readonly string[]): OnDisk<FileContent[]> {
    const { createHash }: typeof import("node:crypto") = loadBuiltin("node:crypto");
    const files = new Map<string, FileContent>();
    let bytes = this.#bytes;
    for (const { path, read } of yield* sendableFiles(wanted)) {
      if (this.#sent.size + files.size >= limits.sentFilesMax) break;
      const content = this.#sent.has(path) || files.has(path) ? undefined : yield* read();
      if (content === undefined || bytes + Buffer.byteLength(content) > limits.sentBytesMax) continue;
      bytes += Buffer.byteLength(content);
      files.set(path, { path, sha256: createHash("sha256").update(content).digest("hex"), content });
    }
    return [...files.values()];
  }
}

/** Returns the paths that an answer names; undefined when it has no list of them. */
function wantedFiles(body: string): readonly string[] | undefined {
  const wanted = readProperty(fromJson(body), "wanted_files");
  return Array.isArray(wanted) ? wanted.filter((path) => typeof path === "string") : undefined;
}
