import type { Clue, CodePlace, LocatedFrame, ValueSource } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import type { SourceText } from "../source-text.ts";
import { type Definition, findDefinition, findExport, findPropertyWrites } from "./javascript/definitions.ts";
import {
  argumentsOf,
  type Expression,
  type Range,
  readExpression,
  returnsOf,
  startOfChain,
  textOf,
  valueOfKey,
} from "./javascript/expressions.ts";
import { type FunctionShape, functionNameAt, lineOf, type Structure, tokensOfLine } from "./javascript/structure.ts";
import type { SourceFiles } from "./source-files.ts";

/** A value to be followed to where it was made. */
export interface Subject {
  readonly structure: Structure;
  readonly range: Range;
  /** The frame in which it is used. */
  readonly frame: LocatedFrame | null;
  /** The property that it lacks, when it is the value's shape that is wrong and not the value. */
  readonly missing: string | null;
}

/** How far a value is followed, and how many of its ways: code can be written to have endlessly many. */
const stepsMax = 10;
const cluesMax = 40;

/** Calls that hand on what they are given: the fault is in what they got. */
const handOn: ReadonlySet<string> = new Set(
  "Number String Boolean parseInt parseFloat Date URL RegExp Array Buffer from trim toString toLowerCase toUpperCase join resolve map filter slice sort reverse flat flatMap concat split then values keys entries Object assign freeze".split(
    " ",
  ),
);
/** Calls of which the answer comes from outside this process. */
const outside: ReadonlySet<string> = new Set(
  "fetch json text arrayBuffer query request get post put readFile readFileSync".split(" "),
);

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

  /** From a value to where it was made, nearest step first. */
  follow(subject: Subject): readonly Clue[] {
    this.#value(subject, 1);
    return this.#clues;
  }

  #value(subject: Subject, steps: number): void {
    const key = `${subject.structure.source.name}:${subject.structure.source.firstLine}:${subject.range.start}:${subject.missing}`;
    if (
      steps > stepsMax ||
      this.#clues.length >= cluesMax ||
      this.#seen.has(key) ||
      subject.range.start >= subject.range.end
    )
      return;
    this.#seen.add(key);
    const read = readExpression(subject.structure, subject.range);
    this.#expression(subject, read.expression, read.isAwaited, steps);
    for (const range of read.alternatives) this.#value({ ...subject, range }, steps + 1);
  }

  #expression(subject: Subject, expression: Expression, isAwaited: boolean, steps: number): void {
    const { structure } = subject;
    if (expression.kind === "name") this.#name(subject, expression.name, expression.at, steps);
    else if (expression.kind === "member") this.#member(subject, expression.receiver, expression.property, steps);
    else if (expression.kind === "call") this.#call(subject, expression, isAwaited, steps);
    else if (expression.kind === "literal") this.#literal(subject, expression, steps);
    else if (expression.kind === "template") {
      for (const range of insertions(structure, subject.range))
        this.#value({ ...subject, range, missing: null }, steps);
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
      if (other) {
        this.#definition({ ...subject, structure }, other, name, steps);
        return;
      }
    }
  }

  #definition(subject: Subject, definition: Definition, name: string, steps: number): void {
    const { structure } = subject;
    switch (definition.kind) {
      case "value": {
        const missing = definition.property ?? subject.missing;
        const how = definition.property === null ? "assignment" : "property";
        this.#note(
          structure,
          definition.at,
          how,
          name,
          `${inlineCode(name)} gets its value from ${inlineCode(textOf(structure, definition.value))}`,
          steps,
        );
        this.#value({ ...subject, range: definition.value, missing }, steps + 1);
        return;
      }
      case "iteration":
        this.#note(
          structure,
          definition.at,
          "iteration",
          name,
          `${inlineCode(name)} is an element of ${inlineCode(textOf(structure, definition.value))}`,
          steps,
        );
        this.#value({ ...subject, range: definition.value }, steps + 1);
        return;
      case "parameter":
        this.#parameter(subject, definition, name, steps);
        return;
      case "import":
        this.#import(subject, definition.exported, definition.specifier, steps);
        return;
      case "function":
        this.#returns(subject, definition.shape, name, steps);
    }
  }

  #member(subject: Subject, receiver: Range, property: string | null, steps: number): void {
    const { structure } = subject;
    const whole = textOf(structure, { start: receiver.start, end: subject.range.end });
    if (textOf(structure, receiver) === "process.env") {
      const says = `${inlineCode(whole)} is read from the environment`;
      this.#note(structure, receiver.start, "environment", property ?? whole, says, steps);
      return;
    }
    const root = structure.tokens[receiver.start]?.text ?? "";
    this.#note(structure, receiver.start, "property", whole, `${inlineCode(whole)} is read here`, steps);
    if (property !== null) this.#writes(subject, property, receiver.start, steps);
    if (root !== "this" || receiver.end - receiver.start > 1) {
      this.#value({ ...subject, range: receiver, missing: property }, steps + 1);
    }
  }

  #writes(subject: Subject, property: string, usedAt: number, steps: number): void {
    const writesMax = 3;
    for (const range of findPropertyWrites(subject.structure, property, usedAt).slice(0, writesMax)) {
      const says = `${inlineCode(property)} is set to ${inlineCode(textOf(subject.structure, range))}`;
      this.#note(subject.structure, range.start, "assignment", property, says, steps + 1);
      this.#value({ ...subject, range, missing: subject.missing }, steps + 2);
    }
  }

  #call(subject: Subject, call: Expression & { kind: "call" }, isAwaited: boolean, steps: number): void {
    const { structure } = subject;
    const text = textOf(structure, subject.range);
    const name = call.name ?? "";
    const specifier = name === "require" ? stringOf(structure, call.arguments[0]) : null;
    if (specifier !== null) {
      this.#import(subject, subject.missing ?? "default", specifier, steps);
      return;
    }
    const target = this.#callee(structure, call);
    if (target) {
      this.#note(
        structure,
        call.at,
        isAwaited ? "awaited-call" : "call",
        name,
        `the value is what ${inlineCode(text)} gives`,
        steps,
      );
      this.#returns({ ...subject, structure: target.structure }, target.shape, name, steps + 1);
      return;
    }
    if (textOf(structure, call.callee) === "JSON.parse") {
      this.#note(structure, call.at, "parsed-text", name, `the value is parsed from text: ${inlineCode(text)}`, steps);
    } else if (outside.has(name) && (isAwaited || name.endsWith("Sync"))) {
      this.#note(
        structure,
        call.at,
        "outside-answer",
        name,
        `the value comes from outside: ${inlineCode(text)}`,
        steps,
      );
    } else {
      this.#note(
        structure,
        call.at,
        isAwaited ? "awaited-call" : "call",
        name,
        `the value is what ${inlineCode(text)} gives`,
        steps,
      );
    }
    for (const range of call.arguments) {
      if (handOn.has(name)) this.#value({ ...subject, range, missing: null }, steps + 1);
    }
    const receiver = { start: call.callee.start, end: call.callee.end - 2 };
    if (receiver.end > receiver.start) this.#value({ ...subject, range: receiver, missing: null }, steps + 1);
  }

  #literal(subject: Subject, literal: Expression & { kind: "literal" }, steps: number): void {
    const { structure, range, missing } = subject;
    if (literal.isObject && missing !== null) {
      const value = valueOfKey(structure, range.start, missing);
      if (value) {
        this.#note(
          structure,
          value.start,
          "property",
          missing,
          `${inlineCode(missing)} is given ${inlineCode(textOf(structure, value))}`,
          steps,
        );
        this.#value({ ...subject, range: value, missing: null }, steps + 1);
        return;
      }
      this.#note(
        structure,
        range.start,
        "literal",
        missing,
        `the object made here has no ${inlineCode(missing)}`,
        steps,
      );
      return;
    }
    this.#note(
      structure,
      range.start,
      "literal",
      textOf(structure, range, 40),
      `the value is written here: ${inlineCode(textOf(structure, range, 40))}`,
      steps,
    );
  }

  #returns(subject: Subject, shape: FunctionShape, name: string, steps: number): void {
    const { structure } = subject;
    const returns = returnsOf(structure, shape);
    if (returns.length === 0 || returns.includes(null)) {
      this.#note(
        structure,
        shape.start,
        "returns-nothing",
        name,
        `${inlineCode(name)} can end without returning a value`,
        steps,
      );
    }
    for (const range of returns) {
      if (!range) continue;
      this.#note(
        structure,
        range.start,
        "return",
        name,
        `${inlineCode(name)} returns ${inlineCode(textOf(structure, range))}`,
        steps,
      );
      this.#value({ structure, range, frame: null, missing: subject.missing }, steps + 1);
    }
  }

  #parameter(
    subject: Subject,
    { shape, position, property }: Definition & { kind: "parameter" },
    name: string,
    steps: number,
  ): void {
    const { structure } = subject;
    const missing = property ?? subject.missing;
    const receiver = receiverOfCallback(structure, shape);
    if (receiver) {
      this.#note(
        structure,
        shape.start,
        "iteration",
        name,
        `${inlineCode(name)} is handed in by ${inlineCode(textOf(structure, receiver))}`,
        steps,
      );
      this.#value({ ...subject, range: receiver, missing: null }, steps + 1);
      return;
    }
    this.#note(
      structure,
      shape.start,
      "parameter",
      name,
      `${inlineCode(name)} is a parameter of ${inlineCode(shape.name ?? "a callback")}`,
      steps,
    );
    for (const call of this.#callers(subject, shape)) {
      const range = argumentsOf(call.structure, call.open)[position];
      if (range) this.#value({ structure: call.structure, range, frame: call.frame, missing }, steps + 1);
    }
  }

  /** The calls of a function: the one on the stack, else every one in the given code when they are few. */
  #callers(
    { structure, frame }: Subject,
    shape: FunctionShape,
  ): { structure: Structure; open: number; frame: LocatedFrame | null }[] {
    const own = frame ?? this.#frameIn(structure, shape);
    const caller =
      own &&
      this.#frames.find(
        ({ index, place }) => index > own.index && place !== null && !isInside(structure, shape, place),
      );
    const site = caller?.place && this.#callAt(caller, shape.name);
    if (caller && site) return [{ ...site, frame: caller }];
    const callersMax = 3;
    const written = shape.name === null ? [] : this.#callsOf(shape.name);
    return written.length <= callersMax ? written.map((call) => ({ ...call, frame: null })) : [];
  }

  #frameIn(structure: Structure, shape: FunctionShape): LocatedFrame | null {
    return this.#frames.find(({ place }) => place !== null && isInside(structure, shape, place)) ?? null;
  }

  #callAt({ place, frame }: LocatedFrame, name: string | null): { structure: Structure; open: number } | null {
    const structure = place && this.#files.structure(place.source);
    const line = structure && tokensOfLine(structure, place.line);
    if (!structure || !line) return null;
    const column = frame.column === null ? null : place.source.lines(place.line, place.line).start + frame.column - 1;
    const opens: number[] = [];
    for (let index = line.start; index < line.end + 1; index++) {
      if (structure.tokens[index]?.text === "(" && structure.tokens[index - 1]?.kind === "word") opens.push(index);
    }
    const named = opens.find((open) => structure.tokens[open - 1]?.text === name);
    const atColumn = opens.find((open) => column !== null && (structure.tokens[open - 1]?.start ?? 0) >= column);
    const open = named ?? atColumn ?? opens[0];
    return open === undefined ? null : { structure, open };
  }

  #callsOf(name: string): { structure: Structure; open: number }[] {
    return this.#files.structures().flatMap((structure) =>
      structure.tokens.flatMap((token, index) => {
        const isCall = token.text === name && token.kind === "word" && structure.tokens[index + 1]?.text === "(";
        const isDefinition = structure.owners[index + 1]?.list.start === index + 2;
        return isCall && !isDefinition ? [{ structure, open: index + 1 }] : [];
      }),
    );
  }

  /** The function that a call means, when it was given: in the same text, imported, or the only one of its name. */
  #callee(
    structure: Structure,
    call: Expression & { kind: "call" },
  ): { structure: Structure; shape: FunctionShape } | null {
    if (call.name === null || handOn.has(call.name)) return null;
    const isPlain = call.callee.end - call.callee.start === 1;
    const definition = isPlain ? findDefinition(structure, call.name, call.at) : null;
    const found = definition ? this.#functionOf(structure, definition) : null;
    if (found || definition?.kind === "parameter") return found;
    const named = this.#files
      .structures()
      .flatMap((other) =>
        other.functions.filter(({ name }) => name === call.name).map((shape) => ({ structure: other, shape })),
      );
    const sameFile = named.filter((one) => one.structure === structure);
    return sameFile[0] ?? (named.length <= 2 ? named[0] : undefined) ?? null;
  }

  #functionOf(structure: Structure, definition: Definition): { structure: Structure; shape: FunctionShape } | null {
    if (definition.kind === "function") return { structure, shape: definition.shape };
    const required = definition.kind === "value" ? requiredBy(structure, definition) : null;
    const from = definition.kind === "import" ? definition : required;
    const file = from && this.#files.resolve(structure.source.name, from.specifier);
    const target = file && this.#files.structure(file);
    const exported = target && findExport(target, from.exported);
    return target && exported ? this.#functionOf(target, exported) : null;
  }

  #import(subject: Subject, exported: string, specifier: string, steps: number): void {
    const file = this.#files.resolve(subject.structure.source.name, specifier);
    if (!file) return;
    const structure = this.#files.structure(file);
    if (!structure) {
      this.#noteText(file, subject.missing, steps);
      return;
    }
    const wanted = exported === "default" && subject.missing !== null ? subject.missing : exported;
    const definition = findExport(structure, wanted) ?? findExport(structure, exported);
    if (definition) this.#definition({ ...subject, structure, frame: null }, definition, wanted, steps + 1);
  }

  /** A file that is data: the line of the key, or its first. */
  #noteText(source: SourceText, key: string | null, steps: number): void {
    const at = key === null ? -1 : source.text.indexOf(key);
    const line = at < 0 ? source.firstLine : source.lineAt(at);
    const says =
      key !== null && at < 0
        ? `${inlineCode(source.name)} has no ${inlineCode(key)}`
        : `the value comes from ${inlineCode(source.name)}`;
    this.#push({ file: source.name, line, function: null, source }, "literal", key ?? source.name, says, steps);
  }

  #note(structure: Structure, at: number, how: ValueSource, subject: string, says: string, steps: number): void {
    const { source } = structure;
    const place = { file: source.name, line: lineOf(structure, at), function: functionNameAt(structure, at), source };
    this.#push(place, how, subject, says, steps);
  }

  #push(place: CodePlace, how: ValueSource, subject: string, says: string, steps: number): void {
    const kind = how === "environment" ? "environment-read" : "value-origin";
    this.#clues.push({ kind, place, subject, says, steps, how });
  }
}

/** `const { a } = require("x")`, and `const a = require("x")`. */
function requiredBy(
  structure: Structure,
  { value, property }: Definition & { kind: "value" },
): { exported: string; specifier: string } | null {
  const { expression } = readExpression(structure, value);
  if (expression.kind !== "call" || expression.name !== "require") return null;
  const specifier = stringOf(structure, expression.arguments[0]);
  return specifier === null ? null : { exported: property ?? "default", specifier };
}

function stringOf({ tokens }: Structure, range: Range | undefined): string | null {
  const token = range && range.end - range.start === 1 ? tokens[range.start] : undefined;
  return token?.kind === "string" ? token.text.slice(1, -1) : null;
}

/** The collection whose method was given this function: `list` in `list.map((a) => …)`. */
function receiverOfCallback(structure: Structure, shape: FunctionShape): Range | null {
  if (shape.name !== null) return null;
  const { tokens } = structure;
  let open = shape.start - 1;
  if (tokens[open]?.text === "async") open--;
  if (tokens[open]?.text === "(" && shape.list.start - 1 === open) open--;
  const method = tokens[open - 1];
  if (tokens[open]?.text !== "(" || method?.kind !== "word" || tokens[open - 2]?.text !== ".") return null;
  const end = open - 2;
  const start = startOfChain(structure, end);
  return start < end ? { start, end } : null;
}

function isInside({ source, tokens }: Structure, shape: FunctionShape, place: CodePlace): boolean {
  if (place.source !== source) return false;
  const last = source.lineAt(tokens[shape.body.end - 1]?.start ?? 0);
  return shape.line <= place.line && place.line <= last;
}

/** What stands between `${` and `}` of a template. */
function insertions({ tokens, partner }: Structure, { start, end }: Range): Range[] {
  const found: Range[] = [];
  for (let index = start; index < end; index++) {
    const close = partner[index] ?? -1;
    if (tokens[index]?.text === "${" && close > index) found.push({ start: index + 1, end: close });
  }
  return found;
}
