import { BackOff, retryAfterMs } from "../back-off.ts";
import type { Answer } from "../http.ts";
import { sdkLimits } from "../sdk-limits.ts";
import { isReceipt } from "../transport.ts";
import { batchOf, readLeftOvers, removeLeftOvers } from "./left-overs.ts";
import type { SpoolFolder } from "./spool-folder.ts";

/** A file of this process that nobody writes to, and which of its events are to be sent; all when nothing is said. */
interface HeldFile {
  readonly path: string;
  readonly seqs?: ReadonlySet<number> | undefined;
}

export interface SpoolSenderParts {
  readonly folder: SpoolFolder;
  readonly post: (json: Buffer) => Promise<Answer>;
  readonly clock: () => number;
  /** In milliseconds, never set back. */
  readonly elapsed: () => number;
  readonly random: () => number;
  readonly onFailure: () => void;
}

/** Sends what other processes of the service left behind, and what this one had to leave to the disk. */
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

  /** Takes charge of a file. */
  hold(file: HeldFile): void {
    this.#held.push(file);
  }

  /** Sends what there is, until the service has to be left alone. Never rejects. */
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
      // No folder: nobody has left anything.
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

  /** True when the file is done with. */
  async #sendFile({ path, seqs }: HeldFile): Promise<boolean> {
    const leftOvers = await this.#read(path);
    if (leftOvers && this.#parts.clock() - leftOvers.newestAt < sdkLimits.spoolAgeMaxMs) {
      let rest = leftOvers.events.filter(({ seq }) => !seqs || seqs.has(seq));
      let { dropped } = leftOvers;
      let bytesMax: number = sdkLimits.batchJsonBytesMax;
      while (rest.length > 0 || dropped.length > 0) {
        const batch = batchOf({ ...leftOvers, dropped }, rest, this.#parts.clock(), bytesMax);
        const outcome = await this.#post(batch.json);
        if (outcome === "later") return false;
        if (outcome === "too large" && batch.count > 1) bytesMax /= 2;
        else {
          rest = rest.slice(batch.count);
          dropped = [];
        }
      }
    }
    await removeLeftOvers(path);
    return true;
  }

  async #read(path: string): ReturnType<typeof readLeftOvers> {
    try {
      return await readLeftOvers(path);
    } catch {
      this.#parts.onFailure();
      return undefined;
    }
  }

  async #post(json: Buffer): Promise<"done" | "too large" | "later"> {
    const { post, clock } = this.#parts;
    const answer = await post(json).catch(() => undefined);
    if (answer && isReceipt(answer)) this.#backOff.succeeded();
    else if (answer?.status === 413) return "too large";
    // What is refused for good would be so each time.
    else if (answer?.status !== 400 && answer?.status !== 422) {
      this.#backOff.failed(answer && retryAfterMs(answer.retryAfter, clock()));
      return "later";
    }
    return "done";
  }
}
