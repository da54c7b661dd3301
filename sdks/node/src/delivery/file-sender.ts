import { limits } from "@whence/protocol/limits";
import { fromJson, toJson } from "../runtime/json.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { elapsedMs, nativeTimers } from "../runtime/native-timers.ts";
import { readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { sendableFiles } from "../source/loaded-files.ts";
import type { BatchHeader } from "./batch.ts";
import { isAccepted } from "./batch-response.ts";
import type { HttpResponse } from "./http.ts";

export interface FileSenderParts {
  readonly header: () => BatchHeader;
  readonly postBatch: (json: Buffer) => Promise<HttpResponse>;
  readonly postFiles: (json: Buffer) => Promise<HttpResponse>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Sends files of the program that an investigation lacks, when the service names them in its answer to a batch. After
 * the first batch, and after one with an exception, asks again shortly, when the investigation has begun.
 */
export class FileSender {
  readonly #parts: FileSenderParts;
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
  }

  /** Files sent so far. */
  get sent(): number {
    return this.#sent.size;
  }

  /** Handles the service's answer to an accepted batch. Never throws. */
  answered(body: string, hasException: boolean): void {
    const wanted = readProperty(fromJson(body), "wanted_files");
    // Without the list, the service asks for no files of this program.
    if (!Array.isArray(wanted)) return;
    if (!this.#hasAsked || (hasException && elapsedMs() >= this.#nextAskAt)) {
      this.#hasAsked = true;
      // The first batch doesn't count: an exception may follow soon.
      if (hasException) this.#nextAskAt = elapsedMs() + sdkLimits.filesAskedAgainMs;
      this.#askSoon();
    }
    void this.#send(wanted.filter((path) => typeof path === "string"));
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
      if (isAccepted(answer)) this.answered(answer.body, false);
    } catch {
      // The service can't be reached: the answer to a later batch names the files.
    }
  }

  async #send(wanted: readonly string[]): Promise<void> {
    const { header, onInternalError } = this.#parts;
    const { service, release } = header();
    const open = wanted.filter((path) => !this.#handled.has(path));
    if (open.length === 0 || this.#isSending || release === undefined) return;
    this.#isSending = true;
    try {
      const files = await this.#read(open);
      const json = toJson({ service, release, files });
      const status = files.length === 0 ? undefined : await this.#post(Buffer.from(json));
      // What didn't arrive is sent when the service asks again.
      if (status === 0 || status === 429 || (status ?? 0) >= 500) return;
      for (const path of open) this.#handled.add(path);
      if (status !== 202) return;
      for (const { path } of files) this.#sent.add(path);
      this.#bytes += files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    } catch (error) {
      onInternalError(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** Returns the status of the answer; 0 without one. */
  async #post(json: Buffer): Promise<number> {
    try {
      return (await this.#parts.postFiles(json)).status;
    } catch {
      // The service can't be reached.
      return 0;
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
