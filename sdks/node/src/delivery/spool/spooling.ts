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
  /** The folder's path. */
  readonly folder: string;
  /** Identifies the processes that may send each other's files. */
  readonly service: () => readonly string[];
  readonly header: () => BatchHeader;
  readonly encode: EncodeEvent;
  readonly approve: ApproveEvent;
  readonly sources: SourceContexts;
  /** The queue in memory. */
  readonly queue: Pick<EventQueue, "all">;
  readonly post: (json: Buffer) => Promise<HttpResponse>;
  readonly clock: () => number;
  readonly elapsed: () => number;
  readonly random: () => number;
  /** Called with events that are lost both in memory and on disk. */
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

  /** The number of disk failures and unreadable files. */
  get failures(): number {
    return this.#failures + (this.#made?.spool.failures ?? 0);
  }

  /** Looks for events that others left, a moment after the start. Returns a function that stops it. */
  start(): () => void {
    // Deferred: loading the modules for it would delay the first error's way to the disk.
    const making = nativeTimers.setImmediate(this.#guard(() => void this.#make())).unref();
    const look = this.#guard(() => void this.#make().sender.send());
    const timer = nativeTimers.setTimeout(look, sdkLimits.spoolFirstLookMs).unref();
    return () => {
      nativeTimers.clearImmediate(making);
      nativeTimers.clearTimeout(timer);
    };
  }

  /** Called when an event is queued. */
  add(event: NumberedEvent): void {
    this.#make().spool.add(event);
  }

  /** Whether memory may evict an event. */
  keeps(event: NumberedEvent): boolean {
    return this.#make().spool.keeps(event);
  }

  /** Called when the process may end before these are sent. */
  rescue(events: readonly NumberedEvent[]): void {
    this.#make().spool.rescue(events);
  }

  /** Called when the process ends without having sent these. Returns false when the disk couldn't be used. */
  leave(events: readonly NumberedEvent[], dropped: readonly Dropped[]): boolean {
    return this.#make().spool.leave(events, dropped);
  }

  /** Called when the process ends with all events delivered. */
  removeSync(): void {
    this.#made?.spool.removeSync();
  }

  /** Called when queued events were sent and the service answers. Never rejects. */
  async settled(): Promise<void> {
    const { spool, sender } = this.#make();
    const file = await spool.settled();
    if (file) sender.hold(file);
    await sender.send();
  }

  /** Called when the process's names or rules changed: rewrites what is queued. Never rejects. */
  async rewrite(): Promise<void> {
    const file = await this.#made?.spool.rewrite();
    if (file) this.#made?.sender.hold(file);
  }

  /** Called every few seconds. Never rejects. */
  async tick(): Promise<void> {
    await this.#made?.spool.touch();
  }

  /** Called when the client stops. Never rejects. */
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
