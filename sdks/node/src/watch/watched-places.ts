import type { Debugger, Runtime } from "node:inspector";
import type { WatchOrder } from "@whence/protocol";
import type { RequestContext } from "../core/request-context.ts";
import { OwnInspector } from "../process/own-inspector.ts";
import { isObject } from "../runtime/is-object.ts";
import { elapsedMs } from "../runtime/native-timers.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { addBreakpoints, type Breakpoint } from "./breakpoints.ts";
import type { FailedRequests } from "./failed-requests.ts";
import { LoadedScripts } from "./loaded-scripts.ts";
import { beginWork, PauseDebt } from "./pause-debt.ts";
import type { ReadValue, ValueReader } from "./read-value.ts";
import type { SeenHits } from "./seen-hits.ts";

/** Why places aren't watched. */
export const debuggable = "a debugger can attach to this process";

/** Where the program is stopped before it is stopped at places. */
const ownCode = { stop: (value: unknown): readonly unknown[] => [value] };
/** The arguments that Node passes to each CommonJS module. */
const moduleNames = new Set(["exports", "require", "module", "__filename", "__dirname", "arguments"]);
const scopesOfCall = new Set(["block", "catch", "local"]);
const scopesAround = new Set([...scopesOfCall, "module", "closure", "script"]);

export interface WatchedPlacesParts {
  readonly order: WatchOrder;
  readonly seen: SeenHits;
  readonly reader: ValueReader;
  readonly failed: FailedRequests;
  readonly current: () => RequestContext | undefined;
  readonly isDebugged: () => boolean;
  /** Keeps a failure of this code away from the program. */
  readonly guard: <Args extends unknown[]>(run: (...args: Args) => void) => (...args: Args) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The request or job that places are watched for now. */
interface Look {
  readonly context: RequestContext;
  /** By the monotonic clock, in ms. */
  readonly at: number;
  /** How much may be owed before the rest of it is missed, in ms. */
  readonly owedMsMax: number;
  isOver: boolean;
}

/**
 * Stops the program at the places of an order while values are read. It sets no value, calls no code of the program,
 * and starts nothing while the program is stopped. V8 itself reads the `stack` of an error that a function returned, or
 * that is the `this` of a call: a getter for it may run, and so may the program's `Error.prepareStackTrace`, from when
 * it is set until `OrderFollower` sees it and ends the watch.
 */
export class WatchedPlaces {
  readonly #parts: WatchedPlacesParts;
  readonly #inspector = new OwnInspector();
  readonly #scripts = new LoadedScripts();
  readonly #known = new Map<string, Breakpoint>();
  /** Those at which V8 stops now, by its ids. */
  readonly #active = new Map<string, Breakpoint>();
  readonly #done = new Set<number>();
  readonly #debt = new PauseDebt(elapsedMs);
  #isWarm = false;
  #receiverId = "";
  #received: readonly unknown[] = [];
  #look: Look | undefined;
  /** Whether the last request that was watched because it is like one which failed has failed. */
  #isLikeFailing = true;
  #ended: string | undefined;

  constructor(parts: WatchedPlacesParts) {
    this.#parts = parts;
  }

  /** Why it is over, though its time isn't; undefined while it goes on. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** Begins; returns why it can't. Throws where the inspector can't be used. */
  start(): string | undefined {
    const { order, guard, seen } = this.#parts;
    this.#receiverId = this.#inspector.idOf((...values: unknown[]) => {
      this.#received = values;
    });
    this.#inspector.onScript(guard((script) => this.#scripts.add(script)));
    this.#inspector.onPause(guard((pause) => this.#pause(pause)));
    this.#inspector.ask("Debugger.enable");
    const { found, other } = this.#scripts.of(order.places, this.#inspector);
    for (const [index, place] of order.places.entries()) {
      const scripts = found.filter(({ file }) => file === place.file);
      const isWhole = scripts.map((script) => addBreakpoints(this.#inspector, script, place, index, this.#known));
      if (isWhole.length > 0 && isWhole.every((one) => one)) seen.watched(index);
    }
    if (found.length === 0 && other !== undefined) return `another version of ${other} is running`;
    if (this.#known.size === 0) return "none of the places is loaded";
    this.#warmUp();
    return undefined;
  }

  /**
   * A request or job begins: the program is stopped at the places until it ends, if there is time for it. The most time
   * is kept for one that is like a request which failed.
   */
  begin(context: RequestContext): void {
    if (this.#ended !== undefined) return;
    if (this.#look?.isOver) this.#rest();
    const owedMsMax = this.#look ? 0 : this.#owedMsMaxFor(context);
    if (owedMsMax > 0) {
      this.#look = { context, owedMsMax, at: elapsedMs(), isOver: false };
      this.#isLikeFailing &&= this.#parts.failed.has(context);
      this.#arm();
      this.#parts.seen.begin(context);
    }
  }

  /** A request or job was answered, or has failed. It may still report its failure before the next one begins. */
  end(context: RequestContext | undefined, hasFailed = false): void {
    if (!this.#look || this.#look.context !== context) return;
    this.#look.isOver = true;
    this.#isLikeFailing ||= hasFailed;
  }

  /** Called a few times a second. */
  check(): void {
    if (!this.#look) return;
    if (this.#look.isOver || elapsedMs() - this.#look.at > sdkLimits.watchLookMsMax) this.#rest();
  }

  close(): void {
    this.#inspector.close();
  }

  /** Returns how much may be owed after a request or job was watched, in ms; 0 for one that isn't watched. */
  #owedMsMaxFor(context: RequestContext): number {
    const { failed, seen } = this.#parts;
    const isLike = failed.hasLike(context);
    if (failed.has(context) || (isLike && this.#isLikeFailing)) return this.#debt.owedMsMaxOfFailed;
    return isLike && !seen.isHalfSpent ? this.#debt.owedMsMaxOfGuess : 0;
  }

  #rest(): void {
    const used = beginWork();
    this.#look = undefined;
    this.#disarm(() => true);
    this.#parts.seen.miss();
    this.#debt.addMs(used());
  }

  #arm(): void {
    const used = beginWork();
    for (const breakpoint of this.#known.values()) {
      if (breakpoint.places.every((place) => this.#done.has(place))) continue;
      const answer = this.#inspector.ask("Debugger.setBreakpoint", { location: breakpoint.at });
      this.#active.set((answer as Debugger.SetBreakpointReturnType).breakpointId, breakpoint);
    }
    this.#debt.addMs(used());
    if (this.#active.size === 0) this.#ended = "each place was seen often enough";
  }

  #disarm(isFor: (breakpoint: Breakpoint) => boolean): void {
    for (const [id, breakpoint] of [...this.#active]) {
      if (!isFor(breakpoint)) continue;
      this.#active.delete(id);
      this.#inspector.ask("Debugger.removeBreakpoint", { breakpointId: id });
    }
  }

  #pause({ reason, hitBreakpoints = [], callFrames }: Debugger.PausedEventDataType): void {
    const used = beginWork();
    const [top] = callFrames;
    const hit = hitBreakpoints.flatMap((id) => this.#active.get(id) ?? []);
    // A pause at an error is another session's, which counts it itself.
    if (hit.length === 0 && (reason === "exception" || reason === "promiseRejection")) return;
    if (hit.length === 0) {
      this.#end("the program has debugger statements");
      // Each of them would stop the program until the watch is closed.
      this.#inspector.ask("Debugger.disable");
      return;
    }
    if (this.#parts.isDebugged()) this.#end(debuggable);
    else if (top) for (const breakpoint of hit) this.#hit(breakpoint, top, callFrames);
    if (!this.#isWarm) return;
    const readMs = used();
    this.#debt.addStop(callFrames.length, readMs);
    if (readMs > sdkLimits.watchReadMsMax) this.#end("reading the values took too long");
    if (this.#look && this.#debt.owedMs >= this.#look.owedMsMax) this.#rest();
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    this.#rest();
  }

  #hit(breakpoint: Breakpoint, top: Debugger.CallFrame, callFrames: readonly Debugger.CallFrame[]): void {
    const { seen, current, clock } = this.#parts;
    const context = current();
    if (this.#look && context !== this.#look.context) {
      // Another request's: reading it would use up the time of the one that is watched.
      seen.pass(context, breakpoint.places);
      return;
    }
    breakpoint.stops += 1;
    for (const place of breakpoint.places) if (seen.count(place)) this.#done.add(place);
    const { value } = top.returnValue ?? {};
    // V8 has copied the whole text before anything could be decided.
    if (typeof value === "string" && value.length > sdkLimits.watchWholeCharactersMax)
      this.#end(`a call returned a text of ${value.length} characters`);
    const returned =
      breakpoint.kind === "returned" && top.returnValue ? this.#returned(top.returnValue, breakpoint.names) : undefined;
    const hit = {
      ...this.#callOf(top),
      kind: breakpoint.kind,
      nth: breakpoint.stops,
      at: clock(),
      values: this.#values(top, breakpoint.names),
      ...(returned && { returned }),
      callers: callFrames
        .slice(1)
        .filter(({ location }) => this.#scripts.nameOf(location.scriptId) !== undefined)
        .slice(0, sdkLimits.watchCallersMax)
        .map((frame) => this.#callOf(frame)),
    };
    if (!this.#isWarm) return;
    if (context) seen.keep(hit, context);
    this.#disarm(({ places }) => places.every((place) => this.#done.has(place)));
  }

  /** Returns the values of a call: those that its line names first, then its other variables. */
  #values({ scopeChain }: Debugger.CallFrame, named: ReadonlySet<string>): [string, ReadValue][] {
    const scopes = scopeChain.filter(({ type, object }) => scopesAround.has(type) && object.objectId !== undefined);
    this.#receive(scopes.map(({ object }) => object.objectId));
    const found = new Map<string, ReadValue>();
    const add = (scope: object, name: string): void => {
      if (found.has(name) || moduleNames.has(name) || found.size >= sdkLimits.watchValuesMax) return;
      const value = this.#parts.reader.property(scope, name, named);
      if (value && !("word" in value && value.word === "[function]")) found.set(name, value);
    };
    for (const scope of this.#received) if (isObject(scope)) for (const name of named) add(scope, name);
    for (const [index, scope] of this.#received.entries()) {
      if (!isObject(scope) || !scopesOfCall.has(scopes[index]?.type ?? "")) continue;
      for (const name of Object.keys(scope)) add(scope, name);
    }
    this.#received = [];
    return [...found];
  }

  #returned(
    { type, subtype, objectId, value, unserializableValue }: Runtime.RemoteObject,
    names: ReadonlySet<string>,
  ): ReadValue {
    const { reader } = this.#parts;
    if (subtype === "promise") return { word: "[promise]" };
    if (objectId === undefined)
      return unserializableValue === undefined
        ? reader.value(type === "undefined" ? undefined : value, names)
        : { word: unserializableValue.slice(0, sdkLimits.watchTextCharactersMax) };
    this.#receive([objectId]);
    const [object] = this.#received;
    this.#received = [];
    return reader.value(object, names);
  }

  /** Stops in own code first, and reads values there: the first stops take many times as long as later ones. */
  #warmUp(): void {
    const names = new Set(["value", "a", "b"]);
    const objectId = this.#inspector.idOf(ownCode.stop);
    const answer = this.#inspector.ask("Debugger.setBreakpointOnFunctionCall", { objectId });
    const id = (answer as Debugger.SetBreakpointReturnType).breakpointId;
    this.#active.set(id, { kind: "reached", at: { scriptId: "", lineNumber: 0 }, places: [], stops: 0, names });
    for (let stop = 0; stop < sdkLimits.watchWarmUpStops; stop += 1)
      for (const value of [{ a: [new Date(0)], b: "b" }, Object, 1n, null]) ownCode.stop(value);
    this.#disarm(() => true);
    this.#arm();
    this.#disarm(() => true);
    this.#isWarm = true;
  }

  /** Gets the objects of V8's ids, which is all that is run: a function of this class. */
  #receive(ids: readonly (string | undefined)[]): void {
    this.#received = [];
    this.#inspector.ask("Runtime.callFunctionOn", {
      objectId: this.#receiverId,
      functionDeclaration: "function(...values) { this(...values) }",
      arguments: ids.map((objectId) => ({ objectId })),
      silent: true,
    });
  }

  #callOf({ location, functionLocation, functionName }: Debugger.CallFrame) {
    const isModule = !functionLocation || (functionLocation.lineNumber === 0 && functionLocation.columnNumber === 0);
    return {
      file: (this.#scripts.nameOf(location.scriptId) ?? "").slice(-sdkLimits.watchFileCharactersMax),
      line: location.lineNumber + 1,
      function: functionName === "" ? null : functionName.slice(0, sdkLimits.watchTextCharactersMax),
      starts: isModule ? null : functionLocation.lineNumber + 1,
    };
  }
}
