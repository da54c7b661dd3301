import type { LocatedFrame } from "../../../findings.ts";
import { typeOf } from "./bindings.ts";
import { type CodeNode, part } from "./code-node.ts";
import { argumentsOf, lastName, nameText, plain, receiverOf } from "./expressions.ts";
import { classAround, classNameOf, ownName, parametersOf } from "./functions.ts";
import type { CodeProgram } from "./program.ts";
import type { CodePrograms, FoundFunction } from "./programs.ts";

/** A call, and the frame in which it is on the stack. */
export interface CallSite {
  readonly program: CodeProgram;
  readonly call: CodeNode;
  readonly frame: LocatedFrame | null;
}

const callersMax = 4;
const calleesMax = 2;
/** Calls and functions of one name that are compared. */
const namesakesMax = 200;

/** The functions that a call can mean: those of its name which fit best by their class, their file and what they take. */
export function calleesOf(programs: CodePrograms, program: CodeProgram, call: CodeNode): FoundFunction[] {
  const name = lastName(call, program.source);
  if (name === null) return [];
  const rated = namesakes(programs, program, call, name).map((found) => ({
    found,
    rate: likeness(programs, program, call, found),
  }));
  const best = Math.max(...rated.map(({ rate }) => rate), 1);
  return rated
    .filter(({ rate }) => rate === best)
    .map(({ found }) => found)
    .slice(0, calleesMax);
}

function namesakes(
  programs: CodePrograms,
  program: CodeProgram,
  call: CodeNode,
  name: string,
): readonly FoundFunction[] {
  const made = constructedBy(program, call, name);
  const found = made === null ? programs.functionsNamed(name) : programs.constructorsOf(made);
  return found.slice(0, namesakesMax);
}

/** The name of the class that a call makes an object of; null when it is no such call. */
export function constructedBy({ dialect, source }: CodeProgram, call: CodeNode, name: string): string | null {
  if (dialect.name === "python") return /^_?[A-Z]/.test(name) ? name : null;
  if (dialect.name === "java") return call.type === "object_creation_expression" ? name : null;
  if (dialect.name !== "ruby" || name !== "new") return null;
  const on = receiverOf(call);
  if (on) return lastName(on, source);
  const owner = classAround(call);
  const own = owner ? part(owner, "name") : null;
  return own ? nameText(own, source) : null;
}

/** How surely a call means a function: 0 when it cannot. */
function likeness(
  programs: CodePrograms,
  program: CodeProgram,
  call: CodeNode,
  { program: other, node }: FoundFunction,
): number {
  const own = classNameOf(other, node);
  const receiver = receiverOf(call);
  const isSameFile = other === program;
  if (!fitsArguments(program, call, other, node)) return 0;
  const base = isSameFile ? 2 : 1;
  if (constructedBy(program, call, lastName(call, program.source) ?? "") !== null) return base + 1;
  if (!receiver) {
    const isOwn = own !== null && own === classOf(program, call);
    return own === null ? base + 2 : isOwn ? base + 3 : program.dialect.name === "java" ? 0 : base;
  }
  if (isSelf(program, receiver)) return own !== null && own === classOf(program, call) ? base + 4 : base;
  const on = lastName(receiver, program.source);
  if (own === null) return on !== null && isModuleOf(on, other) ? base + 3 : on === null ? 0 : base;
  if (on === null) return base;
  const type =
    typeOf(program, on) ??
    programs
      .all()
      .map((one) => typeOf(one, on))
      .find((one) => one !== null) ??
    null;
  if (type === own || on === own) return base + 6;
  return isAlike(on, own) ? base + 2 : base;
}

function fitsArguments(program: CodeProgram, call: CodeNode, other: CodeProgram, node: CodeNode): boolean {
  const given = argumentsOf(call, program.source).length;
  const parameters = parametersOf(other, node);
  const needed = parameters.filter(({ fallback, node: one }) => !fallback && !isRest(one)).length;
  const isOpen = (part(node, "parameters")?.children ?? []).some(isRest);
  // A wrong number of arguments is itself a failure: one more or less is allowed.
  return given >= needed - 1 && (isOpen || given <= parameters.length + 1);
}

function isRest({ type }: CodeNode): boolean {
  return /splat|variadic|spread|keyword|block_parameter|typed_default/.test(type);
}

function classOf(program: CodeProgram, call: CodeNode): string | null {
  const owner = program.ownerOf(call);
  return owner ? classNameOf(program, owner) : null;
}

/** Whether an expression is the object that a method is called on: `self`, `this`, the receiver of a Go method. */
export function isSelf(program: CodeProgram, node: CodeNode): boolean {
  const at = plain(node);
  if (at.kind === "self") return true;
  if (at.kind !== "name") return false;
  const name = nameText(at, program.source);
  if (program.dialect.self.has(name)) return true;
  for (let owner = program.ownerOf(at); owner !== null; owner = program.ownerOf(owner)) {
    const receiver = part(owner, "receiver");
    const declared = receiver?.children[0];
    const own = declared ? part(declared, "name") : null;
    if (own) return nameText(own, program.source) === name;
  }
  return false;
}

/** `config` of `config.Load()`: the file, or its folder, has that name. */
function isModuleOf(name: string, { source }: CodeProgram): boolean {
  const parts = source.name.replace(/\.\w+$/, "").split("/");
  return parts.slice(-2).includes(name);
}

/** `customers` and `CustomerRepository`, `store` and `SessionStore`. */
function isAlike(name: string, className: string): boolean {
  const stem = name
    .toLowerCase()
    .replace(/[@_]/g, "")
    .replace(/(?:ies|s)$/, "");
  return stem.length > 2 && className.toLowerCase().includes(stem);
}

/** Where a function is called: by the caller on the stack if it has one, else wherever its name is called. */
export function callersOf(
  programs: CodePrograms,
  frames: readonly LocatedFrame[],
  found: FoundFunction,
  frame: LocatedFrame | null,
): CallSite[] {
  const onStack = frame ? callerOnStack(programs, frames, found, frame) : null;
  if (onStack) return [onStack];
  return programs
    .all()
    .flatMap((program) => callsOf(program, found).map((call) => ({ program, call, frame: null })))
    .filter(({ program, call }) => calleesOf(programs, program, call).some(({ node }) => node === found.node))
    .slice(0, callersMax);
}

function callsOf(program: CodeProgram, { program: own, node }: FoundFunction): readonly CodeNode[] {
  const name = ownName(own, node);
  if (name === null) return [];
  const isConstructor = own.dialect.constructors.has(name);
  const className = isConstructor ? classNameOf(own, node) : null;
  const called = isConstructor && own.dialect.name !== "ruby" ? className : isConstructor ? "new" : name;
  const calls = (called === null ? [] : (program.calls.get(called) ?? [])).slice(0, namesakesMax);
  return className === null ? calls : calls.filter((call) => constructedBy(program, call, called ?? "") === className);
}

function callerOnStack(
  programs: CodePrograms,
  frames: readonly LocatedFrame[],
  found: FoundFunction,
  frame: LocatedFrame,
): CallSite | null {
  const later = frames.filter(({ exception, index }) => exception === frame.exception && index > frame.index);
  for (const next of later.slice(0, framesBetweenMax)) {
    const program = next.place && programs.of(next.place.source);
    if (!program || !next.place) continue;
    const { line } = next.place;
    const call = callsOf(program, found).find((one) => coversLine(program, one, line));
    if (call) return { program, call, frame: next };
  }
  return null;
}

/** Frames of the runtime that may stand between a function and the one that caused its call. */
const framesBetweenMax = 6;

export function coversLine({ source }: CodeProgram, node: CodeNode, line: number): boolean {
  return source.lineAt(node.start) <= line && source.lineAt(Math.max(node.start, node.end - 1)) >= line;
}

/** The element of a collection that a function is handed: what the collection is, when the function is such a callback. */
export function handedOutBy(program: CodeProgram, node: CodeNode, position: number): CodeNode | null {
  const call = node.parent?.kind === "call" ? node.parent : node.parent?.parent;
  if (call?.kind !== "call" || position > 1) return null;
  const name = lastName(call, program.source);
  return name !== null && program.dialect.calls.each.has(name) ? receiverOf(call) : null;
}
