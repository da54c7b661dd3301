import { loadBuiltin } from "../runtime/load-builtin.ts";

/**
 * Calls `onEvent` with a message of `node:http` before an event is emitted on it. Since Node 24, the events of a body
 * come in the context of the connection, not of the request. This watches where Node looks up `emit`, so that no call of
 * ours is on the stack of a listener. What it returns stops it. `onEvent` must not throw.
 */
export function watchRequestEvents(onEvent: (message: object) => void): () => void {
  const { IncomingMessage } = loadBuiltin<typeof import("node:http")>("node:http");
  const { prototype } = IncomingMessage;
  const before = Object.getOwnPropertyDescriptor(prototype, "emit");
  let emit: unknown = Reflect.get(prototype, "emit");
  let isReplaced = before !== undefined;
  function look(this: object): unknown {
    if (this !== prototype) onEvent(this);
    return emit;
  }
  function replace(this: object, value: unknown): void {
    if (this === prototype) {
      emit = value;
      isReplaced = true;
    } else Object.defineProperty(this, "emit", { value, writable: true, enumerable: true, configurable: true });
  }
  Object.defineProperty(prototype, "emit", { get: look, set: replace, configurable: true, enumerable: false });
  return () => {
    // Someone redefined the property, which has ended the watch already.
    if (Object.getOwnPropertyDescriptor(prototype, "emit")?.get !== look) return;
    if (isReplaced) Object.defineProperty(prototype, "emit", { ...before, value: emit, configurable: true });
    else Reflect.deleteProperty(prototype, "emit");
  };
}
