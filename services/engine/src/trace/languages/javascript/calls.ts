import ts from "typescript";
import type { CodePlace, LocatedFrame } from "../../../findings.ts";
import { type Binding, classAround, findBinding, receiverOf } from "./bindings.ts";
import { plain } from "./expressions.ts";
import { functionAround, functionsNamed, nameOf } from "./functions.ts";
import { type Exported, findExport, requiredSpecifier } from "./modules.ts";
import { type CallNode, type FunctionNode, isFunction, lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import { nodeAt, visitBetween } from "./walk.ts";

/** A call in the code, and the frame that it is seen in. */
export interface CallSite {
  readonly program: Program;
  readonly call: CallNode;
  readonly frame: LocatedFrame | null;
}

/** A function and the file that it is in. */
export interface FoundFunction {
  readonly program: Program;
  readonly node: FunctionNode;
}

/** A name that so many functions bear means none of them for sure. */
const sameNameMax = 2;
/** With more calls than these none is more likely than the others. */
const callersMax = 3;
const importsMax = 5;
/** Calls of one name in one file that are asked which function they mean. */
const callsLookedAtMax = 50;
/** Names of methods that every other object has: alone they tell nothing. */
const commonMethods: ReadonlySet<string> = new Set(
  "get set add has delete push pop map filter find forEach then catch finally on once emit call apply bind toString valueOf join split slice keys values entries next write end read close test exec replace trim log error warn info json send".split(
    " ",
  ),
);

/**
 * The calls of a function: the one on the stack when it is seen there, else those in the given code when they are few.
 * `frames` are one stack, innermost first; `frame` is the one that the function runs in, when it is known.
 */
export function callersOf(
  programs: Programs,
  frames: readonly LocatedFrame[],
  { program, node }: FoundFunction,
  frame: LocatedFrame | null,
): CallSite[] {
  const isIn = ({ place }: LocatedFrame): boolean => place !== null && isInside(program, node, place);
  const own = frame && isIn(frame) ? frame : frames.find(isIn);
  const caller =
    own && frames.find(({ index, place }) => index > own.index && place !== null && !isInside(program, node, place));
  const name = nameOf(node);
  const site = caller && callAt(programs, caller, name);
  if (caller && site) return [site];
  if (name === null) return [];
  const written = callsOf(programs, { program, node }, name === "constructor" ? className(node) : name);
  return written.length <= callersMax ? written : [];
}

function className(node: FunctionNode): string | null {
  return classAround(node)?.name?.text ?? null;
}

function callsOf(programs: Programs, target: FoundFunction, name: string | null): CallSite[] {
  if (name === null) return [];
  return programs.all().flatMap((program) =>
    (program.calls.get(name) ?? []).slice(0, callsLookedAtMax).flatMap((call) => {
      if (functionAround(call) === target.node) return [];
      const callee = calleeOf(programs, program, call);
      const isIt = callee === null ? !commonMethods.has(name) : callee.node === target.node;
      return isIt ? [{ program, call, frame: null }] : [];
    }),
  );
}

/** The function that a call means, when it was given. */
export function calleeOf(programs: Programs, program: Program, call: CallNode): FoundFunction | null {
  return functionFor(programs, program, call.expression);
}

/** The function that an expression stands for: written there, declared, imported, or the only one of its name. */
export function functionFor(programs: Programs, program: Program, expression: ts.Expression): FoundFunction | null {
  const { node } = plain(expression);
  if (isFunction(node)) return { program, node };
  if (ts.isIdentifier(node)) {
    const binding = findBinding(program, node.text, node);
    return binding ? functionOf(programs, program, binding) : null;
  }
  // `this.handle.bind(this)`
  if (ts.isCallExpression(node) && lastName(node.expression) === "bind") {
    const bound = receiverOf(node.expression);
    return bound ? functionFor(programs, program, bound) : null;
  }
  const receiver = receiverOf(node);
  const name = lastName(node);
  if (!receiver || name === null) return null;
  if (receiver.kind === ts.SyntaxKind.ThisKeyword) {
    const own = methodOf(classAround(node), name);
    if (own) return { program, node: own };
  }
  return memberOfImport(programs, program, receiver, name) ?? methodNamed(programs, program, name);
}

function memberOfImport(
  programs: Programs,
  program: Program,
  receiver: ts.Expression,
  name: string,
): FoundFunction | null {
  if (!ts.isIdentifier(receiver)) return null;
  const binding = findBinding(program, receiver.text, receiver);
  const specifier = binding && specifierOf(binding);
  if (!specifier || specifier.path.length > 0) return null;
  const exported = findExport(programs, program, specifier.from, name);
  return exported ? functionFrom(programs, exported) : null;
}

/** A method by its name alone: of this file, else the only one among the files. */
function methodNamed(programs: Programs, program: Program, name: string): FoundFunction | null {
  if (commonMethods.has(name)) return null;
  const here = functionsNamed(program, name);
  if (here[0] && here.length <= sameNameMax) return { program, node: here[0] };
  const everywhere = programs
    .all()
    .flatMap((other) => functionsNamed(other, name).map((node) => ({ program: other, node })));
  return everywhere.length <= sameNameMax ? (everywhere[0] ?? null) : null;
}

/** The function that a name stands for, through imports and assignments. */
export function functionOf(programs: Programs, program: Program, binding: Binding, imports = 0): FoundFunction | null {
  if (binding.kind === "function") return { program, node: binding.node };
  if (binding.kind === "class") {
    const node = methodOf(binding.node, "constructor");
    return node ? { program, node } : null;
  }
  const specifier = specifierOf(binding);
  if (specifier) {
    const [name, ...rest] = specifier.path;
    if (rest.length > 0) return null;
    const exported = findExport(programs, program, specifier.from, name ?? specifier.exported);
    return exported ? functionFrom(programs, exported, imports) : null;
  }
  if (binding.kind !== "variable" || !binding.value || binding.path.length > 0) return null;
  const { node } = plain(binding.value);
  if (isFunction(node)) return { program, node };
  return ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
    ? imports < importsMax
      ? functionFor(programs, program, node)
      : null
    : null;
}

function functionFrom(programs: Programs, exported: Exported, imports = 0): FoundFunction | null {
  if (exported.kind === "data" || imports > importsMax) return null;
  const { program } = exported;
  if (exported.kind === "name") {
    const binding = findBinding(program, exported.name, exported.at);
    return binding ? functionOf(programs, program, binding, imports + 1) : null;
  }
  const { node } = exported;
  if (isFunction(node)) return { program, node };
  if (ts.isClassLike(node)) {
    const made = methodOf(node, "constructor");
    return made ? { program, node: made } : null;
  }
  return null;
}

/** Where a name comes from when it is another module's: the module, the name there, and the way into it. */
export function specifierOf(
  binding: Binding,
): { readonly from: string; readonly exported: string; readonly path: readonly string[] } | null {
  if (binding.kind === "import") return { from: binding.specifier, exported: binding.exported, path: [] };
  if (binding.kind !== "variable" || !binding.value) return null;
  const { node } = plain(binding.value);
  const from = requiredSpecifier(node);
  if (from !== null) return { from, exported: "default", path: binding.path };
  const receiver = receiverOf(node);
  const inner = receiver ? requiredSpecifier(receiver) : null;
  const name = lastName(node);
  return inner === null || name === null ? null : { from: inner, exported: "default", path: [name, ...binding.path] };
}

/** A class by what `new` is given: declared, imported. */
export function classFor(
  programs: Programs,
  program: Program,
  expression: ts.Expression,
): { readonly program: Program; readonly node: ts.ClassLikeDeclaration } | null {
  const { node } = plain(expression);
  if (ts.isClassExpression(node)) return { program, node };
  const name = lastName(node);
  if (name === null) return null;
  const root = ts.isIdentifier(node) ? node : receiverOf(node);
  if (!root || !ts.isIdentifier(root)) return null;
  const binding = findBinding(program, root.text, node);
  if (binding?.kind === "class") return { program, node: binding.node };
  const specifier = binding && specifierOf(binding);
  if (!specifier) return null;
  const wanted = ts.isIdentifier(node) ? (specifier.path[0] ?? specifier.exported) : name;
  const exported = findExport(programs, program, specifier.from, wanted);
  if (!exported || exported.kind === "data") return null;
  if (exported.kind === "node")
    return ts.isClassLike(exported.node) ? { program: exported.program, node: exported.node } : null;
  const local = findBinding(exported.program, exported.name, exported.at);
  return local?.kind === "class" ? { program: exported.program, node: local.node } : null;
}

/** A method, a getter or the constructor of a class. */
export function methodOf(owner: ts.ClassLikeDeclaration | null, name: string): FunctionNode | null {
  for (const member of owner?.members ?? []) {
    if (isFunction(member) && nameOf(member) === name) return member;
    if (ts.isPropertyDeclaration(member) && member.initializer && isFunction(member.initializer)) {
      if (nameOf(member.initializer) === name) return member.initializer;
    }
  }
  return null;
}

/** The call that a frame stands at: by its column, else by the name of what was called. */
export function callAt(programs: Programs, located: LocatedFrame, name: string | null): CallSite | null {
  const { place, frame } = located;
  const program = place && programs.of(place.source);
  if (!program || !place) return null;
  const { start, end } = place.source.lines(place.line, place.line);
  const position = frame.column === null ? null : start + frame.column - 1;
  const exact = position === null ? null : callAround(program.tree, position);
  if (exact) return { program, call: exact, frame: located };
  const calls: CallNode[] = [];
  visitBetween(program.tree, start, end, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const at = calledAt(node, program.tree);
    if (at >= start && at <= end) calls.push(node);
  });
  const named = calls.find((call) => lastName(call.expression) === name);
  const call = named ?? calls.find((one) => position !== null && calledAt(one, program.tree) >= position) ?? calls[0];
  return call ? { program, call, frame: located } : null;
}

/** The runtime names `c` as the place of `a.b.c()`, `f` of `f()`, and `new` of `new F()`. */
export function calledAt(call: CallNode, tree: ts.SourceFile): number {
  if (ts.isNewExpression(call)) return call.getStart(tree);
  const { node } = plain(call.expression);
  if (ts.isPropertyAccessExpression(node)) return node.name.getStart(tree);
  return ts.isElementAccessExpression(node) ? node.argumentExpression.getStart(tree) : node.getStart(tree);
}

function callAround(tree: ts.SourceFile, position: number): CallNode | null {
  for (let at: ts.Node | undefined = nodeAt(tree, position); at !== undefined && !isFunction(at); at = at.parent) {
    if (!ts.isCallExpression(at) && !ts.isNewExpression(at)) continue;
    // Of `handlers[name](…)` the runtime names the bracket.
    if (calledAt(at, tree) === position || at.expression.end === position) return at;
  }
  return null;
}

/** The call that a function is an argument of: `list.map(fn)`. */
export function callGiven(node: ts.Node): { readonly call: CallNode } | null {
  const { parent } = node;
  if (!parent || !(ts.isCallExpression(parent) || ts.isNewExpression(parent))) return null;
  return parent.arguments?.some((argument) => argument === node) ? { call: parent } : null;
}

function isInside({ source, tree }: Program, node: FunctionNode, place: CodePlace): boolean {
  if (place.source !== source) return false;
  return source.lineAt(node.getStart(tree)) <= place.line && place.line <= source.lineAt(node.end);
}
