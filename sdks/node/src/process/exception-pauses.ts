import type { Debugger } from "node:inspector";
import { copyVariables, keepVariables, type RunningCall, variablesOf } from "../core/local-variables.ts";
import type { Redaction } from "../core/redact.ts";
import { isInApp, toPath } from "../core/stack.ts";
import type { Guard } from "../runtime/guard.ts";
import { isDebugged } from "../runtime/is-debugged.ts";
import { isObject } from "../runtime/is-object.ts";
import { readProperty } from "../runtime/read-property.ts";
import { runtimeName } from "../runtime/runtime-name.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { OwnInspector } from "./own-inspector.ts";
import { PauseBudget, type PauseState } from "./pause-budget.ts";

/** Excluded, so that errors which installed packages throw and catch don't stop the program. */
const othersCode = ["[\\\\/]node_modules[\\\\/]"];

/** A call, and the ids of its scopes in V8. */
interface PausedCall {
  readonly call: RunningCall;
  readonly scopeIds: readonly string[];
}

/**
 * Records local variables where errors are thrown: the program stops at each throw in its own code, while they are
 * copied.
 */
export class ExceptionPauses {
  readonly #redaction: Redaction;
  readonly #guard: Guard;
  readonly #budget = new PauseBudget(() => performance.now());
  /** The files of the program's own code, by V8's script ids. */
  readonly #files = new Map<string, string>();
  #inspector: OwnInspector | undefined;
  #state: PauseState = "none";
  #receiverId = "";
  #pausedCalls: readonly PausedCall[] = [];

  constructor(redaction: Redaction, guard: Guard) {
    this.#redaction = redaction;
    this.#guard = guard;
  }

  /** Starts recording; returns what prevents it in this process, if anything. */
  start(): string | undefined {
    if (runtimeName() !== "node") return "only Node.js can stop at an error";
    if (isDebugged()) return "a debugger can attach to this process";
    try {
      this.#connect(new OwnInspector());
      return undefined;
    } catch {
      this.stop();
      return "this process can't use Node's inspector";
    }
  }

  /** Yields to a debugger, and resumes after a backoff. */
  tick(): void {
    if (this.#inspector === undefined) return;
    if (isDebugged()) {
      this.stop();
      return;
    }
    this.#budget.tick();
    this.#pauseAt(this.#budget.state);
  }

  stop(): void {
    this.#inspector?.close();
    this.#inspector = undefined;
  }

  #connect(inspector: OwnInspector): void {
    this.#inspector = inspector;
    this.#receiverId = inspector.idOf(this.#guard((error, scopes) => this.#receive(error, scopes), undefined));
    inspector.onScript(this.#guard((script) => this.#addScript(script), undefined));
    inspector.onPause(this.#guard((pause) => this.#paused(pause), undefined));
    inspector.ask("Debugger.enable");
    inspector.ask("Debugger.setBlackboxPatterns", { patterns: othersCode });
    this.#pauseAt("all");
  }

  #pauseAt(state: PauseState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#inspector?.ask("Debugger.setPauseOnExceptions", { state });
  }

  #addScript({ scriptId, url }: Debugger.ScriptParsedEventDataType): void {
    const file = url === "" || this.#files.size >= sdkLimits.localsScriptsMax ? undefined : toPath(url);
    if (file !== undefined && isInApp(file)) this.#files.set(scriptId, file);
  }

  #paused({ reason, data, callFrames }: Debugger.PausedEventDataType): void {
    // Any other reason means a pause of another session.
    if (reason !== "exception" && reason !== "promiseRejection") return;
    if (isDebugged()) {
      this.#pauseAt("none");
      return;
    }
    const startedAt = performance.now();
    const errorId = readProperty(data, "objectId");
    const isOwn = typeof errorId === "string" && this.#read(errorId, callFrames);
    this.#budget.spend({ startedAt, calls: callFrames.length, isOwn });
    this.#pauseAt(this.#budget.state);
  }

  /**
   * Passes the error and the scopes to {@link #receive}, since V8 only provides their ids. Returns false when no call
   * is the program's own.
   */
  #read(errorId: string, callFrames: readonly Debugger.CallFrame[]): boolean {
    this.#pausedCalls = callFrames
      .flatMap((frame, index) => this.#describe(frame, index === 0) ?? [])
      .slice(0, sdkLimits.localsFramesMax);
    if (this.#pausedCalls.length === 0) return false;
    const scopeIds = this.#pausedCalls.flatMap((paused) => paused.scopeIds);
    this.#inspector?.ask("Runtime.callFunctionOn", {
      objectId: errorId,
      functionDeclaration: "function(receive, ...scopes) { receive(this, scopes) }",
      arguments: [this.#receiverId, ...scopeIds].map((objectId) => ({ objectId })),
      silent: true,
    });
    return true;
  }

  #describe(frame: Debugger.CallFrame, isThrower: boolean): PausedCall | undefined {
    const { scriptId, lineNumber, columnNumber = 0 } = frame.location;
    const file = this.#files.get(scriptId);
    if (file === undefined) return undefined;
    const call = { file, function: frame.functionName, line: lineNumber + 1, column: columnNumber + 1, isThrower };
    return { call, scopeIds: ownScopes(frame).flatMap(({ object }) => object.objectId ?? []) };
  }

  #receive(error: unknown, scopes: unknown): void {
    // A rethrown error keeps the variables of its first throw.
    if (!isObject(error) || variablesOf(error) !== undefined || !Array.isArray(scopes)) return;
    const left = scopes.filter(isObject);
    const calls = this.#pausedCalls.map(({ call, scopeIds }) => ({ call, scopes: left.splice(0, scopeIds.length) }));
    keepVariables(error, copyVariables(calls, this.#redaction));
  }
}

/** Returns the scopes of a call itself, innermost first: its blocks, and its function or module. */
function ownScopes({ scopeChain }: Debugger.CallFrame): readonly Debugger.Scope[] {
  const last = scopeChain.findIndex(({ type }) => type === "local" || type === "module");
  return scopeChain.slice(0, last + 1).filter(({ type }) => type === "block" || type === "local" || type === "module");
}
