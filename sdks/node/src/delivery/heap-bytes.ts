import type { Breadcrumb } from "../core/breadcrumbs.ts";
import type { Thrown } from "../core/cause-chain.ts";
import type { WhenceEvent } from "../core/event.ts";
import type { Calls } from "../core/stack.ts";

/** Approximate sizes in V8 on a 64-bit machine; rather too large than too small. */
const stringBytes = 24;
const objectBytes = 64;
const entryBytes = 48;
const frameBytes = 200;
/** An unprinted error, and each call of its stack. */
const unprintedBytes = 150;
const callSiteBytes = 64;
/** The event itself, its id, its mechanism, and its entry in the queue. */
const eventBytes = 600;

/** Strings with such characters take two bytes per character. */
const beyondLatin1 = /[^\0-\xff]/;

/** Estimates the heap bytes of a JSON value. */
export function heapBytesOf(value: unknown): number {
  if (typeof value === "string") return stringBytes + (beyondLatin1.test(value) ? 2 * value.length : value.length);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = objectBytes;
  for (const key of Object.keys(value)) {
    bytes += entryBytes + key.length + heapBytesOf(Reflect.get(value, key));
  }
  return bytes;
}

/** Estimates the heap bytes of an event, without its stacks and its trail. */
export function heapBytesOfEvent({ message, thrown = [], request, attributes }: WhenceEvent): number {
  let bytes = eventBytes + heapBytesOf(message) + heapBytesOf(request) + heapBytesOf(attributes);
  for (const one of thrown) {
    // The first message is the event's own.
    const own = one.message === message ? 0 : heapBytesOf(one.message);
    bytes += objectBytes * 3 + own + heapBytesOf(one.properties) + heapBytesOf(one.variables);
  }
  return bytes;
}

/** Estimates the heap bytes of a breadcrumb. */
export function heapBytesOfBreadcrumb({ message, data }: Breadcrumb): number {
  return objectBytes * 2 + heapBytesOf(message) + heapBytesOf(data);
}

/** Estimates the heap bytes of unprinted stacks. Those of causes are about as deep as the error's. */
export function heapBytesOfUnprinted(thrown: readonly Thrown[]): number {
  const frames = thrown[0]?.stack.calls.frames.length ?? 0;
  const unprinted = thrown.filter(({ isPrinted }) => !isPrinted).length;
  return unprinted * (unprintedBytes + frames * callSiteBytes);
}

/** Estimates the heap bytes of stacks without their calls. */
export function heapBytesOfHeaders(thrown: readonly Thrown[]): number {
  return thrown.reduce((bytes, { stack }) => bytes + heapBytesOf(stack.header), 0);
}

/** Estimates the heap bytes of a stack's calls. */
export function heapBytesOfCalls({ text, frames }: Calls): number {
  return heapBytesOf(text) + frames.length * frameBytes;
}
