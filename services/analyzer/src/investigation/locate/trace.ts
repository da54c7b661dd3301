import type { Clue, CodePlace, LocatedFrame, ValueSource } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import type { SourceText } from "../source-text.ts";
import { markAnswerFields } from "./answer-fields.ts";
import {
  type CallSite,
  calleeOf,
  callersOf,
  type FoundFunction,
  receiverOfCallback,
  stringOf,
  unseenModuleOf,
} from "./calls.ts";
import {
  type Definition,
  findDefinition,
  findExport,
  findPropertyWrites,
  findPushes,
} from "./javascript/definitions.ts";
import {
  argumentsOf,
  type Expression,
  fallsThrough,
  type Range,
  readExpression,
  returnsOf,
  spreadsOf,
  textOf,
  valueOfKey,
  valuesOf,
} from "./javascript/expressions.ts";
import { functionNameAt, lineOf, type Structure } from "./javascript/structure.ts";
import type { SourceFiles } from "./source-files.ts";
import {
  insertions,
  isCountedTooFar,
  isPattern,
  kindOfCall,
  lookups,
  mayBeNullish,
  preferKeyed,
} from "./value-shapes.ts";

/** A value to be followed to where it was made. */
export interface Subject {
  readonly structure: Structure;
  readonly range: Range;
  /** The frame in which it is used. */
  readonly frame: LocatedFrame | null;
  /** What was read of it, outermost first: `["b", "c"]` when it is `value.b.c` that is wrong. */
  readonly path: readonly string[];
  /** Whether the wrong value is undefined or null: what is never that was not its origin. */
  readonly isNullish: boolean;
  /** The call by which the function that is looked at was entered. */
  readonly via: (CallSite & { readonly outer: Subject }) | null;
}

/** Stands in a path for a key that is computed. */
const anyKey = "*";
/** Modules that hold what the process was told when it was started. */
const settingModules = /(?:config|settings?|env|environment|options)(?:\.[cm]?[jt]s)?$/i;
/** How far a value is followed, and how many of its ways: code can be written to have endlessly many. */
const stepsMax = 12;
const cluesMax = 40;
const writesMax = 3;
const partsMax = 6;

/** Calls that hand on what they are given: the fault is in what they got. */
const handOn: ReadonlySet<string> = new Set(
  "Number String Boolean parseInt parseFloat Date URL RegExp Array Buffer from trim toString toLowerCase toUpperCase join resolve filter slice sort reverse flat concat split values keys entries assign freeze".split(
    " ",
  ),
);
/** Calls whose value is what the function they are given returns. */
const callbackCalls: ReadonlySet<string> = new Set(["map", "flatMap", "then"]);

/** Follows values backwards through the code, and says at every step what it saw. */
export class Trace {
  readonly #files: SourceFiles;
  readonly #frames: readonly LocatedFrame[];
  readonly #clues: Clue[] = [];
  readonly #seen = new Set<string>();

  /** `frames` are those of one stack, innermost first: parameters are followed into the callers. */
  constructor(files: SourceFiles, frames: readonly LocatedFrame[]) {
    this.#files = files;
    this.#frames = frames;
  }

  /** From a value to where it was made. A step after which the trail ends is marked. */
  follow(subject: Subject): readonly Clue[] {
    this.#value(subject, 1);
    // Steps are noted depth first: a trail ends where the next step is no deeper.
    return markAnswerFields(this.#clues).map((clue, index, all) => ({
      ...clue,
      isEnd: (all[index + 1]?.steps ?? 0) <= clue.steps,
    }));
  }

  #value(subject: Subject, steps: number): void {
    const { source } = subject.structure;
    const key = [source.name, source.firstLine, subject.range.start, ...subject.path].join(":");
    const isDone = steps > stepsMax || this.#clues.length >= cluesMax || this.#seen.has(key);
    if (isDone || subject.range.start >= subject.range.end) return;
    this.#seen.add(key);
    const { expression, isAwaited, isNew, alternatives } = readExpression(subject.structure, subject.range);
    const isNeverNullish = isNew || expression.kind === "template" || expression.kind === "function";
    if (!(isNeverNullish && subject.isNullish && subject.path.length === 0)) {
      this.#expression(subject, expression, isAwaited, steps);
    }
    for (const range of alternatives) this.#value({ ...subject, range }, steps);
  }

  #expression(subject: Subject, expression: Expression, isAwaited: boolean, steps: number): void {
    if (expression.kind === "name") this.#name(subject, expression.name, expression.at, steps);
    else if (expression.kind === "member") this.#member(subject, expression.receiver, expression.property, steps);
    else if (expression.kind === "call") this.#call(subject, expression, isAwaited, steps);
    else if (expression.kind === "literal") this.#literal(subject, expression, steps);
    else if (expression.kind === "template") {
      for (const range of insertions(subject.structure, subject.range)) {
        this.#value({ ...subject, range, path: [], isNullish: false }, steps);
      }
    }
  }

  #name(subject: Subject, name: string, at: number, steps: number): void {
    const definition = findDefinition(subject.structure, name, at);
    if (definition) {
      this.#definition(subject, definition, name, steps);
      return;
    }
    // A window into a file may lack what another window into the same file shows.
    for (const structure of this.#files.structures()) {
      if (structure === subject.structure || structure.source.name !== subject.structure.source.name) continue;
      const other = findDefinition(structure, name, structure.tokens.length);
      if (!other) continue;
      this.#definition({ ...subject, structure }, other, name, steps);
      return;
    }
  }

  #definition(subject: Subject, definition: Definition, name: string, steps: number): void {
    const { structure } = subject;
    if (definition.kind === "parameter") this.#parameter(subject, definition, name, steps);
    else if (definition.kind === "import") this.#import(subject, definition.exported, definition.specifier, steps);
    else if (definition.kind === "function") return;
    else {
      const isElement = definition.kind === "iteration";
      const property = definition.kind === "value" ? definition.property : null;
      const value = inlineCode(textOf(structure, definition.value));
      const says = isElement ? `is an element of ${value}` : `gets its value from ${value}`;
      const how = isElement ? "iteration" : property === null ? "assignment" : "property";
      this.#note(structure, definition.at, how, name, `${inlineCode(name)} ${says}`, steps);
      for (const range of findPushes(structure, name, definition.at).slice(0, writesMax)) {
        const added = `${inlineCode(textOf(structure, range))} is added to ${inlineCode(name)}`;
        this.#note(structure, range.start, "argument", name, added, steps + 1);
        this.#value({ ...subject, range }, steps + 2);
      }
      const path = property === null ? subject.path : [property, ...subject.path];
      this.#value({ ...subject, range: definition.value, path }, steps + 1);
    }
  }

  #member(subject: Subject, receiver: Range, property: string | null, steps: number): void {
    const { structure, path } = subject;
    const whole = inlineCode(textOf(structure, { start: receiver.start, end: subject.range.end }));
    if (textOf(structure, receiver) === "process.env") {
      const says = `${whole} is read from the environment`;
      this.#note(structure, receiver.start, "environment", property ?? "process.env", says, steps);
      return;
    }
    const how = property === null && isCountedTooFar(structure, receiver.start) ? "overrun" : "property";
    const reads = how === "overrun" ? "is read in a loop that includes its bound" : "is read here";
    this.#note(structure, receiver.start, how, property ?? "", `${whole} ${reads}`, steps);
    if (property !== null) this.#writes(subject, property, receiver.start, steps + 1);
    const isThis = receiver.end - receiver.start === 1 && structure.tokens[receiver.start]?.text === "this";
    if (isThis) return;
    this.#value({ ...subject, range: receiver, path: [property ?? anyKey, ...path] }, steps + 1);
  }

  #writes(subject: Subject, property: string, usedAt: number, steps: number): void {
    for (const range of findPropertyWrites(subject.structure, property, usedAt).slice(0, writesMax)) {
      const says = `${inlineCode(property)} is set to ${inlineCode(textOf(subject.structure, range))}`;
      this.#note(subject.structure, range.start, "assignment", property, says, steps);
      this.#value({ ...subject, range }, steps + 1);
    }
  }

  #call(subject: Subject, call: Expression & { kind: "call" }, isAwaited: boolean, steps: number): void {
    const { structure } = subject;
    const name = call.name ?? "";
    const specifier = name === "require" ? stringOf(structure, call.arguments[0]) : null;
    if (specifier !== null) {
      this.#import(subject, "default", specifier, steps);
      return;
    }
    const how = kindOfCall(structure, call, isAwaited);
    const unseen = unseenModuleOf(this.#files, structure, call);
    const from = unseen === null ? "" : `, from ${inlineCode(unseen)} (its source is not at hand)`;
    const says = `the value is what ${inlineCode(textOf(structure, subject.range))} gives${from}`;
    this.#note(structure, call.at, how, name, says, steps);
    const callback = callbackCalls.has(name) ? this.#callbackOf(structure, call) : null;
    const target = callback ?? (handOn.has(name) ? null : calleeOf(this.#files, structure, call));
    if (target) {
      const via = callback ? null : { structure, open: call.callee.end, frame: subject.frame, outer: subject };
      this.#returns({ ...subject, structure: target.structure, frame: null, via }, target, name, steps + 1);
      return;
    }
    const inner = { ...subject, path: [], isNullish: false };
    const isHandedOn = handOn.has(name) || how === "parsed-text" || lookups.has(name);
    if (isHandedOn) for (const range of call.arguments) this.#value({ ...inner, range }, steps + 1);
    const receiver = { start: call.callee.start, end: call.callee.end - 2 };
    if (receiver.end > receiver.start) this.#value({ ...inner, range: receiver }, steps + 1);
  }

  /** The function that is given to `map` or `then`, written there or named. */
  #callbackOf(structure: Structure, call: Expression & { kind: "call" }): FoundFunction | null {
    const first = call.arguments[0];
    if (!first) return null;
    const shape = structure.functions.find(
      ({ start, body }) => start >= first.start && start <= first.start + 1 && body.end === first.end,
    );
    if (shape) return { structure, shape };
    const { expression } = readExpression(structure, first);
    if (expression.kind !== "name") return null;
    const named: Expression & { kind: "call" } = {
      kind: "call",
      callee: first,
      name: expression.name,
      arguments: [],
      at: first.start,
    };
    return calleeOf(this.#files, structure, named);
  }

  #literal(subject: Subject, literal: Expression & { kind: "literal" }, steps: number): void {
    const { structure, range, path, isNullish } = subject;
    const [key, ...rest] = path;
    if (key === undefined) {
      if (isNullish && !literal.isNullish) return;
      if (literal.isObject) this.#parts(subject, steps);
      // What is written at the failing expression itself is what it is meant to be.
      if (literal.isObject || steps === 1 || isPattern(structure, range.start)) return;
      const text = textOf(structure, range, 40);
      this.#note(structure, range.start, "literal", text, `the value is written here: ${inlineCode(text)}`, steps);
      return;
    }
    if (!literal.isObject) return;
    if (key === anyKey) {
      for (const { value } of valuesOf(structure, range.start))
        this.#value({ ...subject, range: value, path: rest }, steps);
      return;
    }
    const value = valueOfKey(structure, range.start, key);
    if (value) {
      const says = `${inlineCode(key)} is given ${inlineCode(textOf(structure, value))}`;
      this.#note(structure, value.start, "property", key, says, steps);
      this.#value({ ...subject, range: value, path: rest }, steps + 1);
      return;
    }
    const spreads = spreadsOf(structure, range.start);
    for (const spread of spreads) this.#value({ ...subject, range: spread }, steps + 1);
    if (spreads.length > 0) return;
    this.#note(structure, range.start, "literal", key, `the object made here has no ${inlineCode(key)}`, steps);
  }

  /** The values that an object literal is made of. */
  #parts(subject: Subject, steps: number): void {
    const { structure, range } = subject;
    const values = valuesOf(structure, range.start).map(({ value }) => value);
    for (const value of [...spreadsOf(structure, range.start), ...values].slice(0, partsMax)) {
      this.#value({ ...subject, range: value, path: [] }, steps + 1);
    }
  }

  #returns(subject: Subject, { structure, shape }: FoundFunction, name: string, steps: number): void {
    const returns = returnsOf(structure, shape);
    const isSilent = returns.length === 0 || (subject.isNullish && fallsThrough(structure, shape));
    if (isSilent || returns.includes(null)) {
      const says = `${inlineCode(name)} can end without returning a value`;
      this.#note(structure, shape.start, "returns-nothing", name, says, steps);
    }
    for (const range of preferKeyed(structure, returns, subject)) {
      const says = `${inlineCode(name)} returns ${inlineCode(textOf(structure, range))}`;
      const before = this.#clues.length;
      this.#note(structure, range.start, "return", name, says, steps);
      this.#value({ ...subject, structure, range }, steps + 1);
      // A value that is never nullish was not what came back.
      if (this.#clues.length === before + 1 && subject.isNullish && !mayBeNullish(structure, range)) this.#clues.pop();
    }
  }

  #parameter(
    subject: Subject,
    { shape, position, property }: Definition & { kind: "parameter" },
    name: string,
    steps: number,
  ): void {
    const { structure, via } = subject;
    const path = property === null ? subject.path : [property, ...subject.path];
    const receiver = receiverOfCallback(structure, shape);
    if (receiver) {
      const says = `${inlineCode(name)} is handed in by ${inlineCode(textOf(structure, receiver))}`;
      this.#note(structure, shape.start, "iteration", name, says, steps);
      this.#value({ ...subject, range: receiver, path }, steps + 1);
      return;
    }
    const says = `${inlineCode(name)} is a parameter of ${inlineCode(shape.name ?? "a callback")}`;
    this.#note(structure, shape.start, "parameter", name, says, steps);
    const calls = via ? [via] : callersOf(this.#files, this.#frames, { structure, shape }, subject.frame);
    for (const call of calls) {
      const range = argumentsOf(call.structure, call.open)[position];
      const outer = via ? via.outer.via : null;
      if (!range) continue;
      this.#note(
        call.structure,
        range.start,
        "argument",
        name,
        `${inlineCode(textOf(call.structure, range))} is passed as ${inlineCode(name)}`,
        steps + 1,
      );
      this.#value({ ...subject, structure: call.structure, range, frame: call.frame, path, via: outer }, steps + 2);
    }
  }

  #import(subject: Subject, exported: string, specifier: string, steps: number): void {
    const file = this.#files.resolve(subject.structure.source.name, specifier);
    const [key, ...rest] = subject.path;
    if (!file) {
      this.#unseen(subject, specifier, steps);
      return;
    }
    const structure = this.#files.structure(file);
    if (!structure) {
      this.#noteText(file, key ?? null, steps);
      return;
    }
    const inner = { ...subject, structure, frame: null, via: null };
    const isWhole = (exported === "default" || exported === "*") && key !== undefined;
    const part = isWhole ? findExport(structure, key) : null;
    const definition = part ?? findExport(structure, exported);
    if (definition)
      this.#definition(
        { ...inner, path: part ? rest : subject.path },
        definition,
        part ? (key ?? exported) : exported,
        steps,
      );
  }

  /** The module was not given: only its name tells what it holds. */
  #unseen({ structure, range, path }: Subject, specifier: string, steps: number): void {
    const [key] = path;
    if (!specifier.startsWith(".") || key === undefined || !settingModules.test(specifier)) return;
    const says = `${inlineCode(key)} is a setting, read from ${inlineCode(specifier)} (its source is not at hand)`;
    this.#note(structure, range.start, "setting", key, says, steps);
  }

  /** A file that is data: the line of the key, or its first. */
  #noteText(source: SourceText, key: string | null, steps: number): void {
    const at = key === null ? -1 : source.text.indexOf(key);
    const line = at < 0 ? source.firstLine : source.lineAt(at);
    const name = inlineCode(source.name);
    const says = key !== null && at < 0 ? `${name} has no ${inlineCode(key)}` : `the value comes from ${name}`;
    this.#push({ file: source.name, line, function: null, source }, "literal", key ?? source.name, says, steps);
  }

  #note(structure: Structure, at: number, how: ValueSource, subject: string, says: string, steps: number): void {
    const { source } = structure;
    const place = { file: source.name, line: lineOf(structure, at), function: functionNameAt(structure, at), source };
    this.#push(place, how, subject, says, steps);
  }

  #push(place: CodePlace, how: ValueSource, subject: string, says: string, steps: number): void {
    const kind = how === "environment" ? "environment-read" : "value-origin";
    this.#clues.push({ kind, place, subject, says, steps, how, isEnd: false });
  }
}
