import type { Delivery } from "../delivery/delivery.ts";
import type { InitOptions, Warn } from "../options.ts";
import type { Guard } from "../runtime/guard.ts";
import type { BreadcrumbRecorder } from "./breadcrumb-recorder.ts";
import type { EventCapture } from "./event-capture.ts";
import type { RequestContext, RequestContexts } from "./request-context.ts";
import type { Scopes } from "./scope.ts";

/** Runs the listeners of a request's events as part of serving it. */
interface RequestFollower {
  follow(incoming: object): void;
}

/** The part of a thread's client that the package's entries use. */
export interface RunningClient {
  readonly guard: Guard;
  readonly requests: RequestContexts;
  readonly requestEvents: RequestFollower;
  readonly scopes: Scopes;
  readonly breadcrumbs: Pick<BreadcrumbRecorder, "add" | "beginQuery">;
  readonly capture: Pick<EventCapture, "exception" | "message" | "routeError" | "isReported" | "log">;
  readonly delivery: Pick<Delivery, "flush" | "deliver" | "hasEvents" | "lost">;
  /** Whether calls to databases are recorded. */
  readonly recordsDatabases: boolean;
  /** Whether pino publishes its records, so that our stream must not record them again. */
  readonly pinoPublishes: boolean;
  /** Starts watching the requests that the servers of this thread receive. */
  watchServers(route?: RequestContext["route"]): void;
  /** Adopts the options of a later `init` that can change, and warns about the others. */
  adopt(given: InitOptions, warn: Warn): void;
  stop(): void;
  close(timeoutMs?: number): Promise<boolean>;
}

/** Holds the client. Created once and never replaced, so it can be cached. */
interface Slot {
  client: RunningClient | undefined;
}

/**
 * The key of the thread's only client. It is a registered symbol because a program may load this package twice, as ESM
 * and as CommonJS, and each framework entry is a separate bundle; all of them must find the same client.
 */
const place = Symbol.for("@whence/node client, version 1");

/** Cached: a lookup on the global object takes half a microsecond, and a request needs several. */
let known: Slot | undefined;

/** Returns the client that `init` started, until `close` stops it. */
export function currentClient(): RunningClient | undefined {
  known ??= Reflect.get(globalThis, place) as Slot | undefined;
  return known?.client;
}

/** Sets the client of the thread; undefined for none. */
export function setCurrentClient(client: RunningClient | undefined): void {
  known ??= (Reflect.get(globalThis, place) as Slot | undefined) ?? placeSlot();
  known.client = client;
}

function placeSlot(): Slot {
  const slot: Slot = { client: undefined };
  Object.defineProperty(globalThis, place, {
    // A program may have given all objects a `get`, which would make this an invalid descriptor.
    __proto__: null,
    value: slot,
    enumerable: false,
    configurable: true,
    writable: true,
  } as PropertyDescriptor);
  return slot;
}
