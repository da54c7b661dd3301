import { limits } from "@whence/protocol/limits";
import { trimJson } from "../../core/trim-event.ts";
import * as sdkLimits from "../../sdk-limits.ts";
import { BackOff, retryAfterMs } from "../back-off.ts";
import { badBatchStatuses, isAccepted, refusedIndexes } from "../batch-response.ts";
import { DroppedEvents } from "../dropped-events.ts";
import type { HttpResponse } from "../http.ts";
import { batchOf, readSpoolContents, removeSpoolFile, type SpoolContents } from "./spool-contents.ts";
import type { SpoolFolder } from "./spool-folder.ts";

/** A completed file of this process, and the events in it to send; without `seqs`, all of them. */
interface HeldFile {
  readonly path: string;
  readonly seqs?: ReadonlySet<number> | undefined;
}

export interface SpoolSenderParts {
  readonly folder: SpoolFolder;
  readonly post: (json: Buffer) => Promise<HttpResponse>;
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  readonly random: () => number;
  readonly onFailure: () => void;
}

/** Sends the events that other processes of the service left, and those that this one had to leave on disk. */
export class SpoolSender {
  readonly #parts: SpoolSenderParts;
  readonly #held: HeldFile[] = [];
  readonly #backOff: BackOff;
  #sending: Promise<void> | undefined;
  #lookAt = 0;

  constructor(parts: SpoolSenderParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.elapsed, parts.random);
  }

  /** Takes responsibility for a file. */
  hold(file: HeldFile): void {
    this.#held.push(file);
  }

  /** Sends the spooled events until the service asks for a pause. Never rejects. */
  send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    if (this.#backOff.waitMs > 0) return;
    try {
      await this.#claimAll();
      for (let file = this.#held[0]; file; file = this.#held[0]) {
        if (!(await this.#sendFile(file))) return;
        this.#held.shift();
      }
    } catch (error) {
      // Without a folder there is nothing to send.
      if (Reflect.get(Object(error), "code") !== "ENOENT") this.#parts.onFailure();
    }
  }

  async #claimAll(): Promise<void> {
    const { folder, clock, elapsed } = this.#parts;
    if (elapsed() < this.#lookAt) return;
    this.#lookAt = elapsed() + sdkLimits.spoolLookIntervalMs;
    await folder.tidy(clock());
    for (const entry of await folder.entries()) {
      if (!folder.isAbandoned(entry, clock())) continue;
      const path = await folder.claim(entry, clock());
      if (path !== undefined) this.#held.push({ path });
    }
  }

  /** Returns true when the file is finished. */
  async #sendFile({ path, seqs }: HeldFile): Promise<boolean> {
    const contents = await this.#read(path);
    // It stays: the next process may be able to read it.
    if (contents === "unreadable") return true;
    if (contents && this.#parts.clock() - contents.newestAt < sdkLimits.spoolAgeMaxMs) {
      const events = contents.events.filter(({ seq }) => !seqs || seqs.has(seq));
      if (!(await this.#sendEvents({ ...contents, events }))) return false;
    }
    await removeSpoolFile(path);
    return true;
  }

  async #read(path: string): Promise<SpoolContents | undefined | "unreadable"> {
    try {
      return await readSpoolContents(path);
    } catch (error) {
      this.#parts.onFailure();
      return Reflect.get(Object(error), "code") === "EISDIR" ? undefined : "unreadable";
    }
  }

  /** Returns true when the service has accepted each event, or rejected it permanently and been informed of that. */
  async #sendEvents({ header, dropped, events }: SpoolContents): Promise<boolean> {
    const unreported = new DroppedEvents();
    for (const run of dropped) unreported.add(run);
    let bytesMax: number = sdkLimits.batchJsonBytesMax;
    let rest = events;
    while (rest.length > 0 || unreported.count > 0) {
      const reported = unreported.first(limits.droppedRangesMax);
      const batch = batchOf({ header, dropped: reported }, rest, this.#parts.clock(), bytesMax);
      const outcome = await this.#post(batch.json);
      if (outcome === "later") return false;
      if (outcome === "too large") {
        bytesMax = Math.floor(Math.min(bytesMax, batch.json.length) / 2);
        if (bytesMax < sdkLimits.eventBytesMin) return this.#leavesAlone();
        if (batch.count === 1) rest = rest.map(({ seq, json }) => ({ seq, json: trimJson(json, bytesMax) }));
        continue;
      }
      // Without events there is no other batch that could report them.
      if (outcome !== "refused" || batch.count === 0) unreported.take(reported.length);
      const sent = rest.slice(0, batch.count);
      const lost = outcome === "refused" ? sent : outcome.flatMap((index) => sent[index] ?? []);
      for (const { seq } of lost) unreported.note(seq, "rejected");
      rest = rest.slice(batch.count);
    }
    return true;
  }

  /** Called when no batch is small enough: the events aren't the cause. */
  #leavesAlone(): false {
    this.#backOff.refused();
    return false;
  }

  /** Returns the result of a batch; for an accepted one, the indexes of rejected events. */
  async #post(json: Buffer): Promise<readonly number[] | "refused" | "too large" | "later"> {
    const { post, clock } = this.#parts;
    const answer = await post(json).catch(() => undefined);
    if (answer && isAccepted(answer)) {
      this.#backOff.succeeded();
      return [...new Set(refusedIndexes(answer.body))];
    }
    if (answer?.status === 413) return "too large";
    if (answer && badBatchStatuses.has(answer.status)) return "refused";
    this.#backOff.failed(answer && retryAfterMs(answer.retryAfter, clock()));
    return "later";
  }
}
