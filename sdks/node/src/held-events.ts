import type { NumberedEvent } from "./event.ts";
import { heapBytesOfBreadcrumb, heapBytesOfCalls, heapBytesOfEvent, heapBytesOfHeaders } from "./heap-bytes.ts";
import { HeldParts } from "./held-parts.ts";
import { printStacks } from "./thrown.ts";

const bytesPerReference = 8;

/**
 * What events that wait hold in memory, estimated. Errors of one place share their calls, events with nothing new
 * between them a trail, and trails breadcrumbs. Stacks count once all of an event are printed.
 */
export class HeldEvents {
  readonly #parts = new HeldParts();
  /** Oldest first: those whose causes have not been counted. */
  readonly #unprinted = new Set<NumberedEvent>();

  get bytes(): number {
    return this.#parts.bytes;
  }

  hold(event: NumberedEvent): void {
    const { trail, thrown } = event;
    this.#parts.hold(event, () => heapBytesOfEvent(event));
    if (thrown?.some(({ isPrinted }) => !isPrinted)) this.#unprinted.add(event);
    else this.#holdStacks(thrown);
    if (!trail || !this.#parts.hold(trail, () => trail.breadcrumbs.length * bytesPerReference)) return;
    for (const breadcrumb of trail.breadcrumbs) this.#parts.hold(breadcrumb, () => heapBytesOfBreadcrumb(breadcrumb));
  }

  release(event: NumberedEvent): void {
    const { trail, thrown } = event;
    this.#parts.release(event);
    if (!this.#unprinted.delete(event)) this.#releaseStacks(thrown);
    if (!trail || !this.#parts.release(trail)) return;
    for (const breadcrumb of trail.breadcrumbs) this.#parts.release(breadcrumb);
  }

  /** Prints the causes of one event; false when there is none left to print. */
  printNext(): boolean {
    const [event] = this.#unprinted;
    if (!event) return false;
    printStacks(event.thrown ?? []);
    // To print runs code of the program, which may have captured more: then the event may have given way by now.
    if (this.#unprinted.delete(event)) this.#holdStacks(event.thrown);
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
