import { callSites } from "../runtime/call-sites.ts";

/** `process.emit`, as Node calls it. */
type Emit = (name: string | symbol, ...args: unknown[]) => boolean;

/** Called before an event is emitted on `process`, ahead of the program's listeners. Must not throw. */
export interface EmissionWatcher {
  /** The process exits in a way that still lets it run code. Called once. */
  onExit(): void;
  /** A rejection wasn't handled, and Node is about to call the program's listeners, if there are any. */
  onRejection(reason: unknown, hasListeners: boolean): void;
}

/**
 * Watches emissions without being a listener. A program would notice one: by the count, by Node's warning of too many
 * of them, by the line of Node's own code that calls a lone one, and, with rejections, by Node's taking them as dealt
 * with. This watches where Node looks up `process.emit` instead. What is found there is what was there, or what a
 * program puts there afterwards. What it returns stops it.
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
    // Someone redefined the property, which has ended the watch already.
    if (Object.getOwnPropertyDescriptor(process, "emit")?.get !== look) return;
    if (isReplaced) Object.defineProperty(process, "emit", { ...before, value: emit, configurable: true });
    else Reflect.deleteProperty(process, "emit");
  };
}

/**
 * What emits a rejection in place of `emit`. When the program has no listener no code of its own runs in it, so an
 * extra call in between can't be observed. Otherwise a listener of ours goes first, and it is gone when it is called,
 * before any of the program's.
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
 * Whether the code of Node that deals with rejections is what called `callee`, and not in order to say that one was
 * handled late. Asks the stack, whose shape is the same from Node 18 to 26; a test holds it to that. In a program that
 * has frozen `Error` that is impossible, and the answer is no.
 */
function isCalledForRejection(callee: () => unknown): boolean {
  const [caller] = callSites(callee, 1);
  if (caller?.getFileName() !== "node:internal/process/promises") return false;
  return caller.getFunctionName() !== "processPromiseRejections";
}
