/** Taken before the program runs: it may replace them. */
const { getOwnPropertyDescriptor, is, keys } = Object;
const Weak = WeakRef;
/** What every call has of its own. */
const ownOfCall = "arguments";

/** Values that are compared later, and don't keep an object from being freed. */
export class HeldValues {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values.map((one) => (isObject(one) ? new Weak(one) : one));
  }

  areSame(values: readonly unknown[]): boolean {
    const held = this.#values.map((one) => (one instanceof Weak ? one.deref() : one));
    return held.length === values.length && held.every((one, index) => is(one, values[index]));
  }
}

/** Returns the values of a scope's variables. One that may not be read is like no other. */
export function valuesIn(scope: object, isRedacted: (name: string) => boolean): unknown[] {
  const names = keys(scope).filter((name) => name !== ownOfCall);
  return names.map((name) => (isRedacted(name) ? Symbol(name) : getOwnPropertyDescriptor(scope, name)?.value));
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
