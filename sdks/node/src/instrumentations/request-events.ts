import type { RequestContexts } from "../core/request-context.ts";
import type { Guard } from "../runtime/guard.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { runtimeName } from "../runtime/runtime-name.ts";

/**
 * Runs the listeners of a request's own events as part of serving it. Node emits a body's events in the context of the
 * connection, in which a request known only to a middleware isn't current, and since Node 24 none is.
 */
export class RequestEvents {
  /**
   * Starts watching the events of requests of this class. Called on first use, since a program without a server needs
   * no `node:http`.
   */
  readonly follow: (incoming: object) => void;
  readonly #resume: (message: object) => void;
  #stopHttp: (() => void) | undefined;
  #stopHttp2: (() => void) | undefined;

  constructor(requests: Pick<RequestContexts, "current" | "of" | "enter">, guard: Guard) {
    this.#resume = guard((message: object) => {
      const context = requests.of(message);
      const current = requests.current();
      // A job that runs as part of a request stays a job.
      if (context && current !== context && (!current || current.incoming)) requests.enter(context);
    }, undefined);
    this.follow = guard((incoming: object) => this.#follow(incoming), undefined);
  }

  stop(): void {
    this.#stopHttp?.();
    this.#stopHttp2?.();
  }

  #follow(incoming: object): void {
    // In other runtimes, a request isn't an object of these classes.
    if (runtimeName() !== "node") return;
    if (Reflect.get(incoming, "httpVersionMajor") === 2) this.#stopHttp2 ??= this.#watchHttp2();
    else this.#stopHttp ??= this.#watchHttp();
  }

  #watchHttp(): () => void {
    return watchEventsOf(loadBuiltin<typeof import("node:http")>("node:http").IncomingMessage, this.#resume);
  }

  #watchHttp2(): () => void {
    return watchEventsOf(loadBuiltin<typeof import("node:http2")>("node:http2").Http2ServerRequest, this.#resume);
  }
}

/**
 * Calls `onEvent` with an object of this class before an event is emitted on it. It intercepts the lookup of `emit`, so
 * that no call of ours is on a listener's stack. Returns a function that stops it. `onEvent` must not throw.
 */
function watchEventsOf({ prototype }: { prototype: object }, onEvent: (message: object) => void): () => void {
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
    // Another tool redefined the property, which has already ended the watch.
    if (Object.getOwnPropertyDescriptor(prototype, "emit")?.get !== look) return;
    if (isReplaced) Object.defineProperty(prototype, "emit", { ...before, value: emit, configurable: true });
    else Reflect.deleteProperty(prototype, "emit");
  };
}
