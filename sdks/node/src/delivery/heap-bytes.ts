import type { Breadcrumb } from "../core/breadcrumbs.ts";
import type { Thrown } from "../core/cause-chain.ts";
import type { WhenceEvent } from "../core/event.ts";
import type { Calls } from "../core/stack.ts";

/** What V8 takes for things on a machine of 64 bits, about; rather too much than too little. */
const stringBytes = 24;
const objectBytes = 64;
const entryBytes = 48;
const frameBytes = 200;
/** An error, and each call of its stack, as V8 notes them when it is thrown. */
const unprintedBytes = 150;
const callSiteBytes = 64;
/** The event itself, its id, its mechanism, its place in the queue. */
const eventBytes = 600;

/** Strings with such characters take two bytes for each. */
const beyondLatin1 = /[^\0-\xff]/;

/** What a value made of JSON's kinds holds in memory, estimated. */
export function heapBytesOf(value: unknown): number {
  if (typeof value === "string") return stringBytes + (beyondLatin1.test(value) ? 2 * value.length : value.length);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = objectBytes;
  for (const key of Object.keys(value)) {
    bytes += entryBytes + key.length + heapBytesOf(Reflect.get(value, key));
  }
  return bytes;
}

/** What an event holds in memory, without the stacks and the trail. */
export function heapBytesOfEvent({ message, thrown = [], request, attributes }: WhenceEvent): number {
  let bytes = eventBytes + heapBytesOf(message) + heapBytesOf(request) + heapBytesOf(attributes);
  for (const one of thrown) {
    // The first one's message is the event's.
    const own = one.message === message ? 0 : heapBytesOf(one.message);
    bytes += objectBytes * 3 + own + heapBytesOf(one.properties) + heapBytesOf(one.variables);
  }
  return bytes;
}

/** What a breadcrumb holds in memory. */
export function heapBytesOfBreadcrumb({ message, data }: Breadcrumb): number {
  return objectBytes * 2 + heapBytesOf(message) + heapBytesOf(data);
}

/** What stacks hold in memory until they are printed. Those of causes are about as deep as the one of the error. */
export function heapBytesOfUnprinted(thrown: readonly Thrown[]): number {
  const frames = thrown[0]?.stack.calls.frames.length ?? 0;
  const unprinted = thrown.filter(({ isPrinted }) => !isPrinted).length;
  return unprinted * (unprintedBytes + frames * callSiteBytes);
}

/** What stacks hold in memory beside their calls. */
export function heapBytesOfHeaders(thrown: readonly Thrown[]): number {
  return thrown.reduce((bytes, { stack }) => bytes + heapBytesOf(stack.header), 0);
}

/** What the calls of a stack hold in memory. */
export function heapBytesOfCalls({ text, frames }: Calls): number {
  return heapBytesOf(text) + frames.length * frameBytes;
}
