import type { Debugger, Runtime } from "node:inspector";
import { sep } from "node:path";
import { arm, armTests, type Breakpoint, type LoadedScript } from "./armed-places.ts";
import { isModule, isStart, pathOf } from "./call-frames.ts";
import type { CalledAt } from "./called-at.ts";
import { valuesIn } from "./held-values.ts";
import { Inspector } from "./inspector.ts";
import { MaskedText } from "./masked-text.ts";
import type { OrderedPlace, Orders } from "./orders.ts";
import { OwnRegExp } from "./own-reg-exp.ts";
import { firstLineOf, plainValue } from "./remote-values.ts";
import { SourceLines } from "./source-lines.ts";
import { TestRuns, testsIn } from "./test-runs.ts";
import { cut, ValueText } from "./value-text.ts";
import { WrittenHits } from "./written-hits.ts";
import { WrittenTestRuns } from "./written-test-runs.ts";

/** The arguments that Node passes to each CommonJS module. */
const moduleNames = new Set(["exports", "require", "module", "__filename", "__dirname", "arguments"]);
const scopesOfCall = new Set(["block", "catch", "local", "module"]);
/** Where what tells one call of a test from another is. */
const scopesOfTest = new Set(["block", "closure", "local"]);
const scopesAround = new Set([...scopesOfCall, "closure", "script"]);
const identifier = new OwnRegExp("[A-Za-z_$][\\w$]*", "g");
/** A program loads fewer; one that doesn't end making scripts isn't followed. */
const scriptsMax = 20_000;
const packages = `${sep}node_modules${sep}`;
/** The share of the time that stops at places may take: the failure may be thrown after they took most of it. */
const shareForPlaces = 3 / 4;
/** Calls of a throw whose values are read. */
const throwCallsMax = 8;

/**
 * Stops a thread at ordered places and at throws, and reads names and values there. The program doesn't notice: no
 * value is set, no code of it runs, and its output is its own.
 */
export class ProgramWatch {
  readonly #orders: Orders;
  readonly #inspector = new Inspector();
  readonly #masked: MaskedText;
  readonly #text: ValueText;
  readonly #written: WrittenHits;
  readonly #byFile = new Map<string, number[]>();
  readonly #scripts = new Map<string, LoadedScript>();
  /** The program's own files, by V8's script ids. */
  readonly #paths = new Map<string, string>();
  readonly #sources = new Map<string, readonly string[]>();
  readonly #breakpoints = new Map<string, Breakpoint>();
  readonly #byId = new Map<string, Breakpoint>();
  readonly #startedAt = performance.now();
  readonly #clock = performance.now.bind(performance);
  /** On this thread's clock. A stop takes V8 longer than the program is seen to be stopped. */
  readonly #placesUntilMs: number;
  #tests: TestRuns | null = null;
  #writtenTests: WrittenTestRuns | null = null;
  #receiverId: string | undefined;
  #scopes: readonly object[] = [];
  /** How deep the call is that is followed; 0 while none is. */
  #followedDepth = 0;
  #steps = 0;
  #pausedMs = 0;
  #arePlacesOver = false;
  #throws = 0;

  constructor(orders: Orders) {
    this.#orders = orders;
    this.#masked = new MaskedText(orders);
    this.#text = new ValueText(this.#masked, orders.textLengthMax);
    this.#written = new WrittenHits(orders);
    this.#placesUntilMs = orders.placesUntil - performance.timeOrigin;
    for (const [index, { file }] of orders.places.entries())
      this.#byFile.set(file, [...(this.#byFile.get(file) ?? []), index]);
  }

  /** Begins to watch; `mayCover` says whether V8's coverage may be used for what tests run. */
  start(mayCover: boolean): void {
    this.#receiverId = this.#inspector.idOf((...scopes: object[]) => {
      this.#scopes = scopes;
    });
    this.#inspector.onScript((script) => this.#load(script));
    this.#inspector.onPause((pause) => this.#pause(pause));
    this.#inspector.ask("Debugger.enable");
    // Node's own code isn't stepped into.
    this.#inspector.ask("Debugger.setBlackboxPatterns", { patterns: ["^node:"] });
    this.#inspector.ask("Debugger.setPauseOnExceptions", { state: "all" });
    if (mayCover && this.#orders.places.some((place) => place.is_test)) {
      this.#tests = this.#testRuns();
      this.#writtenTests = new WrittenTestRuns(this.#tests, this.#orders);
    }
    process.on("exit", () => this.#end());
  }

  #end(): void {
    this.#writtenTests?.write();
    this.#written.write(true);
  }

  #testRuns(): TestRuns {
    return new TestRuns(this.#inspector, {
      ownPathOf: (scriptId) => {
        const path = this.#paths.get(scriptId) ?? "";
        return this.#scripts.has(scriptId) && this.#isOwn(path) ? path : null;
      },
      sourceOf: (scriptId, position) => this.#scripts.get(scriptId)?.lines.sourceOf(position) ?? null,
      textOf: (scriptId) => this.#linesOf(scriptId),
      valuesIn: (frame) =>
        this.#scopesOf(frame, scopesOfTest).flatMap(({ scope }) =>
          valuesIn(scope, (name) => this.#masked.isRedacted(name)),
        ),
    });
  }

  /** Whether a file is one of the tree, and of no installed package. */
  #isOwn(path: string): boolean {
    return path.startsWith(this.#orders.base + sep) && !path.includes(packages);
  }

  #load({ scriptId, url, sourceMapURL }: Debugger.ScriptParsedEventDataType): void {
    const path = pathOf(url);
    if (path === null || this.#paths.size >= scriptsMax) return;
    this.#paths.set(scriptId, path);
    const lines = new SourceLines(path, sourceMapURL);
    for (const file of lines.files) this.#written.loadedFile(file);
    const places = lines.files.flatMap((file) => this.#byFile.get(file) ?? []);
    if (this.#tests || places.length > 0) this.#scripts.set(scriptId, { scriptId, lines });
    for (const index of places) {
      const place = this.#orders.places[index];
      if (place) this.#arm({ scriptId, lines }, place, index);
    }
    // A process may run the tests of several files.
    const tests = this.#tests && this.#isOwn(path) ? testsIn(this.#linesOf(scriptId)) : [];
    if (places.length + tests.length === 0) return;
    armTests(this.#inspector, scriptId, tests, this.#breakpoints);
    for (const one of this.#breakpoints.values()) this.#byId.set(one.id, one);
  }

  #arm(script: LoadedScript, place: OrderedPlace, index: number): void {
    if (this.#arePlacesOver) {
      this.#written.giveUp([index]);
      return;
    }
    const { hasCode, isComplete } = arm(this.#inspector, script, place, index, this.#breakpoints);
    if (hasCode) this.#written.loaded(index);
    if (!isComplete) this.#written.giveUp([index]);
  }

  #pause({ reason, data, hitBreakpoints = [], callFrames }: Debugger.PausedEventDataType): void {
    const began = this.#clock();
    const [top] = callFrames;
    if (top && (reason === "exception" || reason === "promiseRejection")) this.#threw(data, callFrames);
    for (const id of hitBreakpoints) {
      const breakpoint = this.#byId.get(id);
      if (top && breakpoint) this.#hit(breakpoint, top, callFrames);
    }
    if (top && this.#followedDepth > 0) this.#follow(top, callFrames);
    this.#pausedMs += this.#clock() - began;
    if (this.#pausedMs > this.#orders.pauseMsMax) this.#stop();
    else if (this.#pausedMs > this.#orders.pauseMsMax * shareForPlaces || this.#clock() > this.#placesUntilMs)
      this.#giveUpPlaces();
  }

  #hit(breakpoint: Breakpoint, top: Debugger.CallFrame, callFrames: readonly Debugger.CallFrame[]): void {
    const { id, kind, places, test } = breakpoint;
    breakpoint.stops += 1;
    if (test === "return") this.#tests?.returned(callFrames);
    else if (kind === "reached" && (test || places.some((place) => this.#orders.places[place]?.is_test)))
      this.#tests?.began(callFrames, test);
    if (places.length === 0) return;
    for (const place of places) {
      if (this.#written.count(place) <= this.#orders.stopsPerPlaceMax) continue;
      this.#inspector.ask("Debugger.removeBreakpoint", { breakpointId: id });
      this.#written.giveUp(places);
      return;
    }
    const isFollowed = places.some((place) => this.#orders.places[place]?.follow_from === breakpoint.stops);
    if (kind === "reached" && isFollowed) this.#followedDepth = callFrames.length;
    // A module's end isn't a return, and what is followed is kept as such.
    if (kind === "returned" && (isModule(top) || this.#followedDepth > 0)) return;
    this.#keep(kind, breakpoint.stops, top, callFrames, id);
  }

  /** Steps on in a call that is followed, and into the calls that it makes, and keeps what they return. */
  #follow(top: Debugger.CallFrame, callFrames: readonly Debugger.CallFrame[]): void {
    const depth = callFrames.length - this.#followedDepth;
    this.#steps += 1;
    if (depth < 0 || this.#steps > this.#orders.stepsMax) {
      this.#followedDepth = 0;
      return;
    }
    if (top.returnValue && !isModule(top)) this.#keep("returned", 0, top, callFrames, "followed");
    const isDeep = depth >= this.#orders.followedDepthMax || !this.#isProgram(top);
    this.#inspector.ask(isDeep ? "Debugger.stepOut" : "Debugger.stepInto");
  }

  #keep(
    kind: "reached" | "returned",
    nth: number,
    top: Debugger.CallFrame,
    callFrames: readonly Debugger.CallFrame[],
    key: string,
  ): void {
    const returned =
      kind === "returned" && top.returnValue ? this.#valueText(top.returnValue, top.functionName) : undefined;
    this.#written.keep(
      {
        ...this.#calledAt(top),
        kind,
        nth,
        at_ms: this.#atMs(),
        values: this.#values(top),
        ...(returned !== undefined && { returned }),
        callers: this.#callers(this.#programOf(callFrames).slice(1)),
      },
      key,
    );
  }

  #threw(data: object | undefined, callFrames: readonly Debugger.CallFrame[]): void {
    this.#throws += 1;
    if (this.#throws === this.#orders.throwsMax)
      this.#inspector.ask("Debugger.setPauseOnExceptions", { state: "uncaught" });
    const error = this.#errorText(data);
    const isFailure = this.#orders.failures.some((message) => error.includes(message));
    this.#tests?.threw(error, isFailure, callFrames);
    const own = this.#programOf(callFrames);
    // What is thrown together has one time.
    const at = this.#atMs();
    for (const [index, frame] of own.slice(0, isFailure ? throwCallsMax : 1).entries()) {
      const values = isFailure ? this.#values(frame) : {};
      this.#written.keep(
        {
          ...this.#calledAt(frame),
          kind: "threw",
          nth: 0,
          at_ms: at,
          values,
          error: cut(this.#masked.of(error), this.#orders.textLengthMax),
          callers: this.#callers(own.slice(index + 1)),
        },
        isFailure ? "failure" : "throw",
      );
    }
    if (!isFailure) return;
    this.#writtenTests?.writeNew();
    this.#written.write();
  }

  /** Returns what V8 says of an error; of an object that is none of its own, as those of chai 4, what its message says. */
  #errorText(data: object | undefined): string {
    const { subtype, objectId }: { subtype?: unknown; objectId?: unknown } = data ?? {};
    const said = firstLineOf(data);
    if (subtype === "error" || typeof objectId !== "string") return said;
    const answer = this.#inspector.ask<Runtime.GetPropertiesReturnType>("Runtime.getProperties", {
      objectId,
      ownProperties: true,
    });
    const message: unknown = answer?.result.find(({ name }) => name === "message")?.value?.value;
    return typeof message === "string" ? `${said}: ${firstLineOf({ value: message })}` : said;
  }

  /** Stops at no place any longer, but where a test begins, and where an error is thrown. */
  #giveUpPlaces(): void {
    if (this.#arePlacesOver) return;
    this.#arePlacesOver = true;
    this.#followedDepth = 0;
    this.#written.giveUp(this.#written.places);
    for (const { id, test } of this.#breakpoints.values())
      if (!test) this.#inspector.ask("Debugger.removeBreakpoint", { breakpointId: id });
  }

  /** Gives up the rest of the run: the program has been stopped for long enough. */
  #stop(): void {
    this.#written.giveUp(this.#written.places);
    this.#written.write(true);
    this.#inspector.close();
  }

  #atMs(): number {
    return Math.round((this.#clock() - this.#startedAt) * 10) / 10;
  }

  /** Returns the values of a call: those that its line names first, then its other variables. */
  #values(frame: Debugger.CallFrame): Record<string, string> {
    const named = new Set(this.#lineText(frame).match(identifier) ?? []);
    const values: [name: string, text: string, isNamed: boolean][] = [];
    for (const { type, scope } of this.#scopesOf(frame, scopesAround)) {
      const isOwn = scopesOfCall.has(type);
      const isLong = type === "module" || isModule(frame);
      for (const name of isOwn && !isLong
        ? Object.keys(scope)
        : [...named].filter((one) => Object.hasOwn(scope, one))) {
        if (moduleNames.has(name) || values.some(([known]) => known === name)) continue;
        const text = this.#text.property(scope, name);
        if (text !== undefined && text !== "[function]") values.push([name, text, named.has(name)]);
      }
    }
    const ordered = [...values.filter(([, , isNamed]) => isNamed), ...values.filter(([, , isNamed]) => !isNamed)];
    return Object.fromEntries(
      ordered
        .slice(0, this.#orders.valuesPerHitMax)
        .map(([name, text]) => [cut(name, this.#orders.textLengthMax), text]),
    );
  }

  /** Returns the scopes of some types that a call is in, with their variables. */
  #scopesOf(
    frame: Debugger.CallFrame,
    types: ReadonlySet<string>,
  ): { readonly type: string; readonly scope: object }[] {
    const scopes = frame.scopeChain.filter(({ type, object }) => types.has(type) && object.objectId !== undefined);
    this.#inspector.ask("Runtime.callFunctionOn", {
      objectId: this.#receiverId,
      functionDeclaration: "function(...scopes) { this(...scopes) }",
      arguments: scopes.map(({ object: { objectId } }) => ({ objectId })),
      silent: true,
    });
    const found = this.#scopes.map((scope, index) => ({ type: scopes[index]?.type ?? "", scope }));
    this.#scopes = [];
    return found;
  }

  #lineText({ location: { scriptId, lineNumber } }: Debugger.CallFrame): string {
    return this.#linesOf(scriptId)[lineNumber] ?? "";
  }

  #linesOf(scriptId: string): readonly string[] {
    const known = this.#sources.get(scriptId);
    if (known) return known;
    const answer = this.#inspector.ask<Debugger.GetScriptSourceReturnType>("Debugger.getScriptSource", { scriptId });
    const lines = (answer?.scriptSource ?? "").split("\n");
    this.#sources.set(scriptId, lines);
    return lines;
  }

  /** Writes what V8 describes; of a promise, what it was settled with. */
  #valueText(value: Runtime.RemoteObject, name: string): string {
    if (value.subtype === "promise") return this.#settledText(value, name);
    if (value.objectId === undefined) return this.#text.of(plainValue(value), name);
    this.#inspector.ask("Runtime.callFunctionOn", {
      objectId: this.#receiverId,
      functionDeclaration: "function(value) { this(value) }",
      arguments: [{ objectId: value.objectId }],
      silent: true,
    });
    const [object] = this.#scopes;
    this.#scopes = [];
    return this.#text.of(object);
  }

  #settledText({ objectId }: Runtime.RemoteObject, name: string): string {
    const answer = this.#inspector.ask<Runtime.GetPropertiesReturnType>("Runtime.getProperties", {
      objectId,
      ownProperties: true,
    });
    const of = (name: string): Runtime.RemoteObject | undefined =>
      answer?.internalProperties?.find((one) => one.name === `[[${name}]]`)?.value;
    const result = of("PromiseResult");
    if (of("PromiseState")?.value !== "fulfilled" || result === undefined) return "[promise]";
    return result.subtype === "promise" ? "[promise]" : this.#valueText(result, name);
  }

  #callers(program: readonly Debugger.CallFrame[]): CalledAt[] {
    return program.slice(0, this.#orders.callersPerHitMax).map((frame) => this.#calledAt(frame));
  }

  /** Leaves out Node's own calls, and an installed test runner or server that called the outermost of the program's own. */
  #programOf(callFrames: readonly Debugger.CallFrame[]): readonly Debugger.CallFrame[] {
    const all = callFrames.filter((frame) => this.#isProgram(frame));
    const outermost = all.findLastIndex(({ location }) => !this.#paths.get(location.scriptId)?.includes(packages));
    return outermost < 0 ? all : all.slice(0, outermost + 1);
  }

  #isProgram({ location }: Debugger.CallFrame): boolean {
    return this.#paths.has(location.scriptId);
  }

  #calledAt({ location, functionLocation, functionName }: Debugger.CallFrame): CalledAt {
    const lines = this.#scripts.get(location.scriptId)?.lines;
    const path = this.#paths.get(location.scriptId) ?? "";
    const sourceOf = ({ lineNumber, columnNumber = 0 }: Debugger.Location): { file: string; line: number } =>
      lines?.sourceOf({ line: lineNumber, column: columnNumber }) ?? { file: path, line: lineNumber };
    const at = sourceOf(location);
    const starts = functionLocation && !isStart(functionLocation) ? sourceOf(functionLocation).line + 1 : null;
    return { file: at.file, line: at.line + 1, function: functionName === "" ? null : functionName, starts };
  }
}
