/**
 * What was awaited on the way from a value to the failure, as the lengths of the path at which it was: awaiting an
 * object doesn't await what is in its fields. `all` where something may have awaited any part of it.
 */
export type Awaits = "all" | readonly number[];

/** A value by what was awaited on its way, and by the path read from it. */
interface AwaitedValue {
  readonly awaits: Awaits;
  readonly path: readonly string[];
}

/** Returns the awaits of a value that is awaited here, too. */
export function awaitedHere({ awaits, path }: AwaitedValue): Awaits {
  return awaits === "all" || awaits.includes(path.length) ? awaits : [...awaits, path.length];
}

/** Returns whether the value itself was awaited, rather than an object that it is in. */
export function isAwaitedHere({ awaits, path }: AwaitedValue): boolean {
  return awaits === "all" || awaits.includes(path.length);
}
