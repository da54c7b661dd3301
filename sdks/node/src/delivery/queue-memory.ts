import { printStacks } from "../core/cause-chain.ts";
import type { NumberedEvent } from "../core/event.ts";
import {
  heapBytesOf,
  heapBytesOfBreadcrumb,
  heapBytesOfCalls,
  heapBytesOfEvent,
  heapBytesOfHeaders,
  heapBytesOfUnprinted,
} from "./heap-bytes.ts";
import { RefCountedBytes } from "./ref-counted-bytes.ts";

const bytesPerReference = 8;

/**
 * Estimates the memory of queued events. Errors from one place share their calls, events of one scope their facts,
 * events without new breadcrumbs in between a trail, and trails their breadcrumbs; each is counted once.
 */
export class QueueMemory {
  readonly #parts = new RefCountedBytes();
  /** Oldest first: events whose causes haven't been printed, and the bytes that these hold until then. */
  readonly #unprinted: { readonly event: NumberedEvent; readonly bytes: number }[] = [];
  #unprintedBytes = 0;

  get bytes(): number {
    return this.#parts.bytes + this.#unprintedBytes;
  }

  /** The part of those bytes held by unprinted stacks. */
  get unprintedBytes(): number {
    return this.#unprintedBytes;
  }

  add(event: NumberedEvent): void {
    const { trail, thrown, facts = [] } = event;
    this.#parts.acquire(event, () => heapBytesOfEvent(event));
    for (const one of facts) this.#parts.acquire(one, () => heapBytesOf(one));
    const unprinted = thrown ? heapBytesOfUnprinted(thrown) : 0;
    if (unprinted > 0) this.#holdUnprinted(event, unprinted);
    else this.#holdStacks(thrown);
    if (!trail || !this.#parts.acquire(trail, () => trail.breadcrumbs.length * bytesPerReference)) return;
    for (const breadcrumb of trail.breadcrumbs)
      this.#parts.acquire(breadcrumb, () => heapBytesOfBreadcrumb(breadcrumb));
  }

  remove(event: NumberedEvent): void {
    const { trail, thrown, facts = [] } = event;
    this.#parts.release(event);
    for (const one of facts) this.#parts.release(one);
    if (!this.#releaseUnprinted(event)) this.#releaseStacks(thrown);
    if (!trail || !this.#parts.release(trail)) return;
    for (const breadcrumb of trail.breadcrumbs) this.#parts.release(breadcrumb);
  }

  /** The newest event whose causes haven't been printed. */
  get newestUnprinted(): NumberedEvent | undefined {
    return this.#unprinted.at(-1)?.event;
  }

  /** Prints the causes of a held event. */
  print(event: NumberedEvent): void {
    printStacks(event.thrown ?? []);
    // Printing runs the program's code, which may have captured more events and evicted this one.
    if (this.#releaseUnprinted(event)) this.#holdStacks(event.thrown);
  }

  #holdUnprinted(event: NumberedEvent, bytes: number): void {
    this.#unprinted.push({ event, bytes });
    this.#unprintedBytes += bytes;
  }

  /** Returns false when all of the event's stacks had been printed. */
  #releaseUnprinted(event: NumberedEvent): boolean {
    const index = this.#unprinted.findIndex((one) => one.event === event);
    if (index === -1) return false;
    for (const { bytes } of this.#unprinted.splice(index, 1)) this.#unprintedBytes -= bytes;
    return true;
  }

  #holdStacks(thrown: NumberedEvent["thrown"]): void {
    if (!thrown || !this.#parts.acquire(thrown, () => heapBytesOfHeaders(thrown))) return;
    for (const { stack } of thrown) this.#parts.acquire(stack.calls, () => heapBytesOfCalls(stack.calls));
  }

  #releaseStacks(thrown: NumberedEvent["thrown"]): void {
    if (!thrown || !this.#parts.release(thrown)) return;
    for (const { stack } of thrown) this.#parts.release(stack.calls);
  }
}
