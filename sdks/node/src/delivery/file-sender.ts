import { limits } from "@whence/protocol/limits";
import { fromJson, toJson } from "../runtime/json.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import { readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { sendableFiles } from "../source/loaded-files.ts";
import { BackOff, retryAfterMs } from "./back-off.ts";
import type { BatchHeader } from "./batch.ts";
import { isAccepted } from "./batch-response.ts";
import type { HttpResponse } from "./http.ts";

export interface FileSenderParts {
  readonly header: () => BatchHeader;
  readonly postBatch: (json: Buffer) => Promise<HttpResponse>;
  readonly postFiles: (json: Buffer) => Promise<HttpResponse>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** A random number in [0, 1), which spreads the retries of many processes. */
  readonly random: () => number;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Sends files of the program that an investigation lacks, when the service names them in its answer to a batch. After
 * the first batch, and after one with an exception, asks again shortly, when the investigation has begun. What didn't
 * arrive is sent when the service asks again, after a pause; after a few failures, not before a long one.
 */
export class FileSender {
  readonly #parts: FileSenderParts;
  readonly #backOff: BackOff;
  #failures = 0;
  /** Wanted paths that were already handled. */
  readonly #handled = new Set<string>();
  /** Paths that the service has. */
  readonly #sent = new Set<string>();
  #bytes = 0;
  #isSending = false;
  #hasAsked = false;
  #nextAskAt = 0;
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: FileSenderParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.elapsed, parts.random);
  }

  /** Files sent so far. */
  get sent(): number {
    return this.#sent.size;
  }

  /** Handles the service's answer to an accepted batch. Resolves when the files that it names are sent; never rejects. */
  async answered(body: string, hasException: boolean): Promise<void> {
    const { elapsed } = this.#parts;
    const wanted = readProperty(fromJson(body), "wanted_files");
    // Without the list, the service asks for no files of this program.
    if (!Array.isArray(wanted)) return;
    if (!this.#hasAsked || (hasException && elapsed() >= this.#nextAskAt)) {
      this.#hasAsked = true;
      // The first batch doesn't count: an exception may follow soon.
      if (hasException) this.#nextAskAt = elapsed() + sdkLimits.filesAskedAgainMs;
      this.#askSoon();
    }
    await this.#send(wanted.filter((path) => typeof path === "string"));
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) nativeTimers.clearTimeout(timer);
  }

  #askSoon(): void {
    this.stop();
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

  async #send(wanted: readonly string[]): Promise<void> {
    const { header, clock, onInternalError } = this.#parts;
    const { service, release } = header();
    const open = wanted.filter((path) => !this.#handled.has(path));
    if (open.length === 0 || this.#isSending || release === undefined || this.#backOff.waitMs > 0) return;
    this.#isSending = true;
    try {
      const files = await this.#read(open);
      const answer =
        files.length === 0 ? undefined : await this.#post(Buffer.from(toJson({ service, release, files })));
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
    } finally {
      this.#isSending = false;
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
  async #read(wanted: readonly string[]): Promise<{ path: string; sha256: string; content: string }[]> {
    const { createHash }: typeof import("node:crypto") = loadBuiltin("node:crypto");
    const files = new Map<string, { path: string; sha256: string; content: string }>();
    let bytes = this.#bytes;
    for (const { path, read } of await sendableFiles(wanted)) {
      if (this.#sent.size + files.size >= limits.sentFilesMax) break;
      const content = this.#sent.has(path) || files.has(path) ? undefined : await read();
      if (content === undefined || bytes + Buffer.byteLength(content) > limits.sentBytesMax) continue;
      bytes += Buffer.byteLength(content);
      files.set(path, { path, sha256: createHash("sha256").update(content).digest("hex"), content });
    }
    return [...files.values()];
  }
}
