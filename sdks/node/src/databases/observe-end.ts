import { errorMonitor } from "node:events";
import { likeOriginal } from "../frameworks/like-original.ts";
import { readProperty } from "../runtime/read-property.ts";
import type { EndCall } from "./begin-call.ts";
import { isMethod, type Method } from "./wrap-method.ts";

/** Returns a callback that records the end of the call, then does what the original does. */
export function endingCall(callback: Method, end: EndCall): Method {
  const wrapper = function (this: unknown, ...results: unknown[]): unknown {
    end(results[0]);
    return Reflect.apply(callback, this, results);
  };
  return likeOriginal(wrapper, callback);
}

/**
 * Returns a promise that settles like the given one; returns anything else unchanged. The caller must get it in place
 * of the original: once observed, the original no longer counts as unhandled when it rejects, and this one does.
 */
export function endingPromise(result: unknown, end: EndCall): unknown {
  const then = readProperty(result, "then");
  if (!isMethod(then)) return result;
  return Reflect.apply(then, result, [
    (value: unknown) => {
      end();
      return value;
    },
    (error: unknown) => {
      end(error);
      throw error;
    },
  ]);
}

/**
 * Records the end that an emitter emits, without adding a listener, so that an `error` event without one still throws.
 */
export function watchEvents(emitter: unknown, end: EndCall): void {
  const on = readProperty(emitter, "on");
  if (!isMethod(on)) return;
  Reflect.apply(on, emitter, [errorMonitor, end]);
  Reflect.apply(on, emitter, ["end", () => end()]);
}

/** Runs `observe` before a method by which a library notifies one of its objects. */
export function watchMethod(holder: object, name: string, observe: EndCall): void {
  const original: unknown = readProperty(holder, name);
  if (!isMethod(original)) return;
  const value = function (this: unknown, ...args: unknown[]): unknown {
    observe(args[0]);
    return Reflect.apply(original, this, args);
  };
  Reflect.defineProperty(holder, name, { value, enumerable: false, configurable: true, writable: true });
}
