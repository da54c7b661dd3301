import { callSites } from "../runtime/call-sites.ts";

/** `process.emit`, as Node calls it. */
type Emit = (name: string | symbol, ...args: unknown[]) => boolean;

/** Called before an event is emitted on `process`, ahead of the program's listeners. Must not throw. */
export interface EmissionWatcher {
  /** Called once, when the process exits in a way that still lets it run code. */
  onExit(): void;
  /** Called when a rejection wasn't handled, before Node calls the program's listeners, if there are any. */
  onRejection(reason: unknown, hasListeners: boolean): void;
}

/**
 * Watches events on `process` without being a listener, which a program would notice: by the listener count, by Node's
 * warning about too many, by the line of Node's code that calls a single one, and, for rejections, because Node would
 * consider them handled. It intercepts the lookup of `process.emit` instead, and keeps returning the current value,
 * including one that a program sets later. Returns a function that stops watching.
 */
export function watchEmissions(watcher: EmissionWatcher): () => void {
  const before = Object.getOwnPropertyDescriptor(process, "emit");
  let emit: Emit = Reflect.get(process, "emit");
  let isReplaced = before !== undefined;
  let hasExited = false;
  const look = (): Emit => {
    if (!hasExited && Reflect.get(process, "_exiting") === true) {
      hasExited = true;
      watcher.onExit();
    } else if (!hasExited && isCalledForRejection(look)) return emissionOfRejection(emit, watcher);
    return emit;
  };
  const replace = (value: Emit): void => {
    emit = value;
    isReplaced = true;
  };
  Object.defineProperty(process, "emit", { get: look, set: replace, configurable: true, enumerable: false });
  return () => {
    // Another tool redefined the property, which has already ended the watch.
    if (Object.getOwnPropertyDescriptor(process, "emit")?.get !== look) return;
    if (isReplaced) Object.defineProperty(process, "emit", { ...before, value: emit, configurable: true });
    else Reflect.deleteProperty(process, "emit");
  };
}

/**
 * Returns the function that emits a rejection instead of `emit`. When the program has no listener, none of its code
 * runs, so the extra call can't be observed. Otherwise a listener of ours runs first, and removes itself before any of
 * the program's runs.
 */
function emissionOfRejection(emit: Emit, { onRejection }: EmissionWatcher): Emit {
  const listeners: unknown = Reflect.get(process, "_events");
  const name = "unhandledRejection";
  if (typeof listeners !== "object" || listeners === null) return emit;
  const theirs: unknown = Reflect.get(listeners, name);
  if (theirs === undefined) {
    return (...args) => {
      onRejection(args[1], false);
      return Reflect.apply(emit, process, args);
    };
  }
  const first = (reason: unknown): void => {
    Reflect.set(listeners, name, theirs);
    onRejection(reason, true);
  };
  Reflect.set(listeners, name, [first, ...(Array.isArray(theirs) ? theirs : [theirs])]);
  return emit;
}

/**
 * Whether Node's code for rejections called `callee`, other than to report one that was handled late. Reads the stack,
 * whose shape is the same from Node 18 to 26; a test checks that. Returns false in a program that has frozen `Error`,
 * where that is impossible.
 */
function isCalledForRejection(callee: () => unknown): boolean {
  const [caller] = callSites(callee, 1);
  if (caller?.getFileName() !== "node:internal/process/promises") return false;
  return caller.getFunctionName() !== "processPromiseRejections";
}
