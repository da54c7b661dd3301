import type { Dropped } from "@whence/protocol";
import type { NumberedEvent } from "../../core/event.ts";
import { guarded } from "../../runtime/guard.ts";
import { nativeTimers } from "../../runtime/native-timers.ts";
import * as sdkLimits from "../../sdk-limits.ts";
import type { SourceContexts } from "../../source/source-context.ts";
import type { ApproveEvent, BatchHeader, EncodeEvent } from "../batch.ts";
import type { HttpResponse } from "../http.ts";
import type { EventQueue } from "../queue.ts";
import { Spool } from "./spool.ts";
import { SpoolFolder } from "./spool-folder.ts";
import { SpoolSender } from "./spool-sender.ts";

export interface SpoolingParts {
  /** Where the folder is. */
  readonly folder: string;
  /** What files have to have in common for one process to send what another left. */
  readonly service: () => readonly string[];
  readonly header: () => BatchHeader;
  readonly encode: EncodeEvent;
  readonly approve: ApproveEvent;
  readonly sources: SourceContexts;
  /** What waits in memory. */
  readonly queue: Pick<EventQueue, "all">;
  readonly post: (json: Buffer) => Promise<HttpResponse>;
  readonly clock: () => number;
  readonly elapsed: () => number;
  readonly random: () => number;
  /** Called with events that are lost, in memory and on disk. */
  readonly onLost: (seqs: readonly number[]) => void;
}

/** The disk spool: writes queued events, and sends those that earlier processes left. Created after startup. */
export class Spooling {
  readonly #parts: SpoolingParts;
  #made: { readonly spool: Spool; readonly sender: SpoolSender } | undefined;
  #failures = 0;

  constructor(parts: SpoolingParts) {
    this.#parts = parts;
  }

  /** How often the disk could not be used, or a file not be read. */
  get failures(): number {
    return this.#failures + (this.#made?.spool.failures ?? 0);
  }

  /** Looks for what others left, a moment after the start. What it returns stops that. */
  start(): () => void {
    // What is loaded for it would stand between the first error and the disk.
    const making = nativeTimers.setImmediate(this.#guard(() => void this.#make())).unref();
    const look = this.#guard(() => void this.#make().sender.send());
    const timer = nativeTimers.setTimeout(look, sdkLimits.spoolFirstLookMs).unref();
    return () => {
      nativeTimers.clearImmediate(making);
      nativeTimers.clearTimeout(timer);
    };
  }

  /** An event waits in memory. */
  add(event: NumberedEvent): void {
    this.#make().spool.add(event);
  }

  /** Whether memory may give an event up. */
  keeps(event: NumberedEvent): boolean {
    return this.#make().spool.keeps(event);
  }

  /** The process may end before these are sent. */
  rescue(events: readonly NumberedEvent[]): void {
    this.#make().spool.rescue(events);
  }

  /** The process ends without having sent these. False when the disk couldn't be used. */
  leave(events: readonly NumberedEvent[], dropped: readonly Dropped[]): boolean {
    return this.#make().spool.leave(events, dropped);
  }

  /** The process ends, and all of its events were delivered. */
  removeSync(): void {
    this.#made?.spool.removeSync();
  }

  /** What waited was sent, and the service answers. Never rejects. */
  async settled(): Promise<void> {
    const { spool, sender } = this.#make();
    const file = await spool.settled();
    if (file) sender.hold(file);
    await sender.send();
  }

  /** The process's names or rules changed: writes what waits again. Never rejects. */
  async rewrite(): Promise<void> {
    const file = await this.#made?.spool.rewrite();
    if (file) this.#made?.sender.hold(file);
  }

  /** Every few seconds. Never rejects. */
  async tick(): Promise<void> {
    await this.#made?.spool.touch();
  }

  /** The client stops. Never rejects. */
  async close(): Promise<void> {
    await this.#made?.spool.close();
  }

  #guard(run: () => void): () => void {
    return guarded(run, undefined, () => {
      this.#failures += 1;
    });
  }

  #make(): { readonly spool: Spool; readonly sender: SpoolSender } {
    if (this.#made) return this.#made;
    const { service, header } = this.#parts;
    const folder = new SpoolFolder(this.#parts.folder, service, header().instance);
    const onFailure = (): void => {
      this.#failures += 1;
    };
    this.#made = {
      spool: new Spool({ ...this.#parts, folder }),
      sender: new SpoolSender({ ...this.#parts, folder, onFailure }),
    };
    return this.#made;
  }
}
