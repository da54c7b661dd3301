const { getOwnPropertyDescriptor } = Object;
/** Node's own, from version 20 on. */
const ownName = "ErrorPrepareStackTrace";

/**
 * Whether code of the program writes the stacks of errors. V8 reads an error's stack to describe it while the program is
 * stopped: what a function returns, and the `this` of each call. The function is looked at, and isn't called.
 */
export function hasCustomStacks(): boolean {
  const property = getOwnPropertyDescriptor(Error, "prepareStackTrace");
  if (property === undefined) return false;
  if (!("value" in property)) return true;
  const write: unknown = property.value;
  return typeof write === "function" && getOwnPropertyDescriptor(write, "name")?.value !== ownName;
}
