import type { NumberedEvent } from "../core/event.ts";
import { printStacks } from "../core/thrown.ts";
import {
  heapBytesOfBreadcrumb,
  heapBytesOfCalls,
  heapBytesOfEvent,
  heapBytesOfHeaders,
  heapBytesOfUnprinted,
} from "./heap-bytes.ts";
import { HeldParts } from "./held-parts.ts";

const bytesPerReference = 8;

/**
 * What events that wait hold in memory, estimated. Errors of one place share their calls, events with nothing new
 * between them a trail, and trails breadcrumbs.
 */
export class HeldEvents {
  readonly #parts = new HeldParts();
  /** Oldest first: those whose causes have not been printed, and what these hold until then. */
  readonly #unprinted: { readonly event: NumberedEvent; readonly bytes: number }[] = [];
  #unprintedBytes = 0;

  get bytes(): number {
    return this.#parts.bytes + this.#unprintedBytes;
  }

  /** Of these, what stacks hold that have not been printed. */
  get unprintedBytes(): number {
    return this.#unprintedBytes;
  }

  hold(event: NumberedEvent): void {
    const { trail, thrown } = event;
    this.#parts.hold(event, () => heapBytesOfEvent(event));
    const unprinted = thrown ? heapBytesOfUnprinted(thrown) : 0;
    if (unprinted > 0) this.#holdUnprinted(event, unprinted);
    else this.#holdStacks(thrown);
    if (!trail || !this.#parts.hold(trail, () => trail.breadcrumbs.length * bytesPerReference)) return;
    for (const breadcrumb of trail.breadcrumbs) this.#parts.hold(breadcrumb, () => heapBytesOfBreadcrumb(breadcrumb));
  }

  release(event: NumberedEvent): void {
    const { trail, thrown } = event;
    this.#parts.release(event);
    if (!this.#releaseUnprinted(event)) this.#releaseStacks(thrown);
    if (!trail || !this.#parts.release(trail)) return;
    for (const breadcrumb of trail.breadcrumbs) this.#parts.release(breadcrumb);
  }

  /** The newest event whose causes have not been printed. */
  get newestUnprinted(): NumberedEvent | undefined {
    return this.#unprinted.at(-1)?.event;
  }

  /** Prints the causes of an event that is held. */
  print(event: NumberedEvent): void {
    printStacks(event.thrown ?? []);
    // To print runs code of the program, which may have captured more: then the event may have given way by now.
    if (this.#releaseUnprinted(event)) this.#holdStacks(event.thrown);
  }

  #holdUnprinted(event: NumberedEvent, bytes: number): void {
    this.#unprinted.push({ event, bytes });
    this.#unprintedBytes += bytes;
  }

  /** False when all of the event's stacks had been printed. */
  #releaseUnprinted(event: NumberedEvent): boolean {
    const index = this.#unprinted.findIndex((one) => one.event === event);
    if (index === -1) return false;
    for (const { bytes } of this.#unprinted.splice(index, 1)) this.#unprintedBytes -= bytes;
    return true;
  }

  #holdStacks(thrown: NumberedEvent["thrown"]): void {
    if (!thrown || !this.#parts.hold(thrown, () => heapBytesOfHeaders(thrown))) return;
    for (const { stack } of thrown) this.#parts.hold(stack.calls, () => heapBytesOfCalls(stack.calls));
  }

  #releaseStacks(thrown: NumberedEvent["thrown"]): void {
    if (!thrown || !this.#parts.release(thrown)) return;
    for (const { stack } of thrown) this.#parts.release(stack.calls);
  }
}
