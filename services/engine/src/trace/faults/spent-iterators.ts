import type { LocatedFrame } from "../../findings/located-frame.ts";
import { isAbsent } from "../../signals/code/bad-value.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, plain, receiverOf, textOf } from "../code/expressions.ts";
import { type FoundFunction, returnsOf } from "../code/functions.ts";
import { givenFor } from "../code/handed-objects.ts";
import { type CodeNode, functionNodesMax, is, isWithin, part, walk } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import { parameterNames } from "../code/parameters.ts";
import type { Program } from "../code/program.ts";
import { type Binding, resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { functionsOnTrail } from "./functions-on-trail.ts";
import { tiesToTrail } from "./ties-to-trail.ts";

const foundMax = 3;
const functionsMax = 60;
/** Maximum names of one function, and uses of one name. */
const bindingsMax = 40;
const usesMax = 40;
/** Maximum functions between a use and the code that reads the elements, and between a name and what it was made by. */
const depthMax = 4;
/** What an error says where there are no elements. */
const emptied =
  /\bempty\b|StopIteration|NoSuchElement|no (?:elements?|items?|values?|such element|more)\b|at least one|division by zero|divided by zero|already been operated/i;
/** Functions that read all elements of their argument, and those of their receiver. */
const readingArgument: ReadonlySet<string> = new Set(
  "list sum max min sorted set tuple dict any all join from Counter extend fsum mean Set Map addAll".split(" "),
);
const readingReceiver: ReadonlySet<string> = new Set(
  "toArray toList forEach reduce some every collect count sum average max min anyMatch allMatch findFirst forEachRemaining".split(
    " ",
  ),
);
/** What an error says of a stream that was read before. */
const operated = /already been operated/i;
const streaming: ReadonlySet<string> = new Set("stream parallelStream lines chars mapToObj".split(" "));
/** Functions of Python that give each element once. */
const givingOnce: ReadonlySet<string> = new Set("map filter zip iter reversed enumerate chain islice".split(" "));
const ofItertools: ReadonlySet<string> = new Set(["chain", "islice"]);
/** Methods that give the elements of a one-time value once, too. */
const passing: ReadonlySet<string> = new Set(
  "map filter take drop flatMap sorted distinct limit skip mapToInt".split(" "),
);

/** Decorators that leave what a function returns as it is. */
const keeping: ReadonlySet<string> = new Set(["staticmethod", "classmethod", "override"]);
const decoratorNodesMax = 20;

/** Where a value is made whose elements can be read once. */
interface Made {
  readonly program: Program;
  readonly node: CodeNode;
}

/**
 * Notes where a value is made whose elements can be read only once, such as a generator, and that code reads twice: the
 * second time it is empty. The error has to be about something that isn't there.
 */
export function findSpentIterators({ codebase, said, frames }: Failure, trail: Trail): void {
  if (!emptied.test(said) && !trail.signals().some((one) => one.kind === "bad-value" && isAbsent(one.args))) return;
  const isOnTrail = functionsOnTrail(trail, frames);
  const isLate = readsOnTrail(frames, trail);
  const failure = { isOnTrail, isLate };
  let found = 0;
  for (const program of codebase.own()) {
    const isStreamed = operated.test(said);
    if (program.dialect.waiting === "none" && !isStreamed) continue;
    const related = program.functions.filter((owner) => isOnTrail(program, part(owner, "body") ?? owner));
    for (const owner of related.slice(0, functionsMax)) {
      for (const binding of [...bindingsOf(program, owner)].slice(0, bindingsMax)) {
        const spent = spentAt(codebase, program, owner, binding, failure);
        if (!spent || found >= foundMax) continue;
        const { made, first } = spent;
        const args = { code: textOf(made.node, made.program.source), first: textOf(first, program.source) };
        trail.add({ kind: "spent-iterator", args }, placeAt(made.program, made.node), null);
        found++;
      }
    }
  }
}

/** Returns the parameters and variables of a function that are set once. */
function bindingsOf(program: Program, owner: CodeNode): Set<Binding> {
  const bindings = new Set<Binding>();
  for (const node of walk(owner, functionNodesMax)) {
    const binding = node.kind === "name" && node.name !== null ? resolve(program, node.name, node) : null;
    const isOwn = binding !== null && isWithin(binding.node, owner) && binding.path.length === 0;
    if (!isOwn) continue;
    if (binding.kind === "parameter" ? binding.writes.length === 0 : isSetOnce(binding)) bindings.add(binding);
  }
  return bindings;
}

function isSetOnce({ kind, writes: [only, ...others] }: Binding): boolean {
  return kind === "variable" && others.length === 0 && only?.value != null && only.path.length === 0;
}

interface LateReads {
  readonly isOnTrail: (program: Program, node: CodeNode) => boolean;
  /** Returns whether what fails uses what a value gives when it is read. */
  readonly isLate: (program: Program, use: CodeNode) => boolean;
}

/** Returns a test of whether what fails, or a call on the stack, uses what a value gives when it is read. */
function readsOnTrail(frames: readonly LocatedFrame[], trail: Trail): (program: Program, use: CodeNode) => boolean {
  const isTied = tiesToTrail(trail);
  const lines = new Set(frames.flatMap(({ place }) => (place ? `${place.file}:${place.line}` : [])));
  return (program, use) =>
    lines.has(`${program.source.name}:${program.source.lineAt(use.start)}`) || isTied(program, use);
}

function spentAt(
  codebase: Codebase,
  program: Program,
  owner: CodeNode,
  binding: Binding,
  { isOnTrail, isLate }: LateReads,
): { readonly made: Made; readonly first: CodeNode } | null {
  const uses = [...walk(owner, functionNodesMax)]
    .filter(
      (node) =>
        node.kind === "name" &&
        node.name === binding.name &&
        node.role !== "target" &&
        resolve(program, binding.name, node) === binding,
    )
    .slice(0, usesMax);
  const reads = uses.flatMap((use) => readBy(codebase, program, use, depthMax) ?? []);
  const [first] = reads;
  if (!first) return null;
  const again = uses.some(
    (use) =>
      isAfter(use, first) &&
      (isKept(use) || (isLate(program, use) && readBy(codebase, program, use, depthMax) !== null)),
  );
  const isRepeated = isReadInLoop(first, binding);
  if (!again && !isRepeated) return null;
  const all = binding.kind === "parameter" ? givenFor(codebase, program, binding.node) : writtenTo(program, binding);
  const value = all.length > 1 ? all.filter((one) => isOnTrail(one.program, one.node)) : all;
  const made = value.flatMap((one) => (one.path.length === 0 ? (madeBy(codebase, one, depthMax) ?? []) : []))[0];
  return made ? { made, first } : null;
}

function writtenTo(
  program: Program,
  { writes }: Binding,
): { program: Program; node: CodeNode; path: readonly string[] }[] {
  return writes.flatMap(({ value, path }) => (value ? [{ program, node: value, path }] : []));
}

/** Returns the code that reads all elements of a used value; null if it doesn't. */
function readBy(codebase: Codebase, program: Program, use: CodeNode, depth: number): CodeNode | null {
  const { parent, role } = use;
  if (!parent || depth === 0) return null;
  if (parent.kind === "loop" && role === "over") return isLeft(parent) ? null : parent;
  if (parent.kind === "spread") return parent.parent;
  if (parent.kind === "member" && role === "on" && parent.parent?.kind === "call" && parent.role === "callee")
    return readingReceiver.has(parent.name ?? "") || program.dialect.waiting === "none" ? parent.parent : null;
  if (parent.kind !== "call" || role !== "argument") return null;
  if (readingArgument.has(parent.name ?? "") && codebase.functionsNamed(parent.name ?? "").length === 0) return parent;
  const isRead = calleesOf(codebase, program, parent).some((callee) => isReadIn(codebase, callee, parent, use, depth));
  return isRead ? parent : null;
}

function isReadIn(codebase: Codebase, callee: FoundFunction, call: CodeNode, use: CodeNode, depth: number): boolean {
  const { program, node } = callee;
  const body = part(node, "body");
  const position = argumentsOf(call).findIndex(({ value }) => value === use);
  const name = parameterNames(program, node)[position];
  const binding = name && body ? resolve(program, name, body) : null;
  if (!binding || !body || binding.writes.length > 0 || program.isInstalled) return false;
  return [...walk(body, functionNodesMax)].some(
    (one) =>
      one.kind === "name" &&
      one.name !== null &&
      one.name === name &&
      resolve(program, one.name, one) === binding &&
      readBy(codebase, program, one, depth - 1) !== null,
  );
}

/** Returns whether a loop may end before its last element. */
function isLeft(loop: CodeNode): boolean {
  return [...walk(loop, functionNodesMax)].some(
    ({ kind, name }) => kind === "return" || kind === "throw" || (kind === "leave" && name !== "continue"),
  );
}

/** Returns whether a use runs after a read, in the same call of the function. */
function isAfter(use: CodeNode, read: CodeNode): boolean {
  if (use.start < read.end) return false;
  for (let at: CodeNode = read; at.parent && !isWithin(use, at); at = at.parent) {
    if ((at.role === "then" || at.role === "otherwise") && isWithin(use, at.parent)) return false;
    const ends = at.kind === "block" && !isWithin(use, at) && at.children.at(-1);
    if (ends && /^(?:return|throw|leave)$/.test(ends.kind)) return false;
  }
  return true;
}

/** Returns whether a value is returned, or kept, to be read later. */
function isKept({ parent, role }: CodeNode): boolean {
  if (parent?.kind === "return" || parent?.kind === "entry") return true;
  return parent?.kind === "assign" && role === "value" && part(parent, "target")?.kind !== "name";
}

/** Returns whether a loop repeats a read of what is made before it. */
function isReadInLoop(read: CodeNode, { node }: Binding): boolean {
  for (let at = read.parent; at !== null && at.kind !== "function"; at = at.parent)
    if (at.kind === "loop" && part(at, "over") && part(at, "body") && isWithin(read, part(at, "body") ?? at))
      return !isWithin(node, at) && !isLeft(at);
  return false;
}

/** Returns where a value is made whose elements can be read once; null for any other. */
function madeBy(codebase: Codebase, { program, node: value }: Made, depth: number): Made | null {
  const node = plain(value);
  if (depth === 0) return null;
  const { hasSelfParameter } = program.dialect;
  if (node.kind === "list") return hasSelfParameter && isGenerator(program, node) ? { program, node } : null;
  if (node.kind === "name") {
    const binding = resolve(program, node.name ?? "", node);
    return binding && isSetOnce(binding)
      ? (writtenTo(program, binding).map((one) => madeBy(codebase, one, depth - 1))[0] ?? null)
      : null;
  }
  if (node.kind !== "call") return null;
  const on = receiverOf(node);
  if (program.dialect.waiting === "none" && streaming.has(node.name ?? "")) return { program, node };
  if (hasSelfParameter && isGivingOnce(program, node)) return { program, node };
  if (on && passing.has(node.name ?? ""))
    return madeBy(codebase, { program, node: on }, depth - 1) && { program, node };
  for (const callee of calleesOf(codebase, program, node)) {
    if (callee.program.isInstalled) continue;
    if (isDecorated(callee.node)) continue;
    if (is(callee.node, "generator")) return { program, node };
    const returned = returnsOf(callee.program, callee.node);
    for (const one of returned) {
      const made = one && madeBy(codebase, { program: callee.program, node: one }, depth - 1);
      if (made) return { program: callee.program, node: one };
    }
  }
  return null;
}

/** Returns whether a decorator may return something else in place of a function's elements: `@contextmanager`. */
function isDecorated({ parent }: CodeNode): boolean {
  const beside = parent?.kind === "sequence" ? parent.children.filter(({ kind }) => kind !== "function") : [];
  return beside.some((one) => ![...walk(one, decoratorNodesMax)].some(({ name }) => keeping.has(name ?? "")));
}

/** Returns whether a call is of a function of Python, or of its `itertools`, that gives each element once. */
function isGivingOnce(program: Program, call: CodeNode): boolean {
  const name = call.name ?? "";
  if (!givingOnce.has(name) || part(call, "callee")?.kind !== "name") return false;
  const binding = resolve(program, name, call);
  const module = binding && importedBy(binding)?.specifier;
  return module ? /^(?:itertools|builtins|six\.moves)\b/.test(module) : binding === null && !ofItertools.has(name);
}

/** Returns whether elements in parentheses are made one by one: `(f(x) for x in xs)`. */
function isGenerator({ source }: Program, node: CodeNode): boolean {
  return (
    source.text[node.start] !== "[" &&
    source.text[node.start] !== "{" &&
    node.children.some(({ kind }) => kind === "loop")
  );
}
