import { likeOriginal } from "../frameworks/like-original.ts";
import { isObject } from "../runtime/is-object.ts";

/** A method of a library. */
export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Set on each wrapper, so that a library passed twice, or to both builds of this package, is wrapped once. */
const mark = Symbol.for("@whence/node wrapper of a database's method");

/**
 * Replaces a method with the result of `wrap`, on `holder` or the prototype that defines it. Does nothing if there is
 * no such method, or if it is wrapped already.
 */
export function wrapMethod(holder: unknown, name: string, wrap: (original: Method) => Method): void {
  const owner = ownerOf(holder, name);
  const descriptor = owner && Object.getOwnPropertyDescriptor(owner, name);
  const original: unknown = descriptor?.value;
  if (!owner || !isMethod(original) || Reflect.has(original, mark)) return;
  const wrapper = likeOriginal(wrap(original), original);
  Object.defineProperty(wrapper, mark, { value: true });
  // A frozen library isn't wrapped, and not recorded.
  Reflect.defineProperty(owner, name, { ...descriptor, value: wrapper });
}

/** Whether a value can be called. */
export function isMethod(value: unknown): value is Method {
  return typeof value === "function";
}

function ownerOf(holder: unknown, name: string): object | undefined {
  let owner = isObject(holder) ? holder : undefined;
  while (owner && !Object.hasOwn(owner, name)) owner = Reflect.getPrototypeOf(owner) ?? undefined;
  return owner;
}
