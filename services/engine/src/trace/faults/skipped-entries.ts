import { isAbsent } from "../../signals/code/bad-value.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import { argumentsOf, isNothing, lastName, receiverOf, rootOf, textOf } from "../code/expressions.ts";
import { ownName } from "../code/functions.ts";
import { around, type CodeNode, isWithin, part, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { gives } from "./swallowed-errors.ts";

const candidatesMax = 200;
const foundMax = 3;
/** Maximum nodes that are searched for what one round of a loop adds. */
const fillingMax = 2_000;
/** Errors that end a loop as they are meant to. */
const meant = /\b(?:StopIteration|Empty|EOFError|EOF)\b/;

/** Calls that fail where there is nothing to take, which an optional entry is read by. */
const asking: ReadonlySet<string> = new Set("pop popitem remove getattr delattr fetch index".split(" "));

/** A round of a loop that is given up when something fails. */
interface Skip {
  readonly node: CodeNode;
  /** What may fail. */
  readonly tried: CodeNode;
  /** Where an element is added only if nothing fails. */
  readonly fill: CodeNode;
  /** The collection that it is added to; null for what a generator yields. */
  readonly into: string | null;
  /** Whether the loop ends. */
  readonly isLast: boolean;
}

/**
 * Notes where a loop that fills a collection drops the error of one round and goes on: the entry that the failing code
 * misses was skipped there.
 */
export function findSkippedEntries({ codebase }: Failure, trail: Trail): void {
  const steps = trail.signals();
  if (!steps.some(lacksSomething)) return;
  let found = 0;
  for (const program of codebase.own()) {
    for (const { node, tried, fill, into, isLast } of skipsIn(program)) {
      if (found >= foundMax) return;
      if (!isRead(program, fill, into, steps)) continue;
      const args = { code: textOf(tried, program.source), into, isLast };
      trail.add({ kind: "skipped-entry", args }, placeAt(program, node), null);
      found++;
    }
  }
}

/** Returns whether the failing code lacks an element, or has one value too few. */
function lacksSomething(signal: AnyCodeSignal): boolean {
  if (signal.kind === "deliberate-throw") return true;
  return signal.kind === "bad-value" && (signal.args.use === "element" || isAbsent(signal.args));
}

function skipsIn(program: Program): Skip[] {
  const caught = program.catches.slice(0, candidatesMax).flatMap((handler): Skip[] => {
    const body = part(handler, "body");
    const tried = handler.parent && part(handler.parent, "body");
    const head = program.source.text.slice(handler.start, body?.start ?? handler.start);
    if (!body || !tried || meant.test(head) || !gives(body, true)) return [];
    const after = leaveIn(body) === null ? [] : following(handler.parent);
    return skipOf(program, handler, tried, [tried, ...after], leaveIn(body));
  });
  // Several handlers of one `try` skip the same entry.
  const byFill = Map.groupBy([...caught, ...checkedIn(program)], ({ fill }) => fill);
  return [...byFill.values()].flatMap(([first]) => first ?? []);
}

/** Finds `if err != nil { continue }`. */
function checkedIn(program: Program): Skip[] {
  const checks = program.functions
    .slice(0, candidatesMax)
    .flatMap((owner) => [...walkOwn(owner)].filter(isErrorCheck))
    .slice(0, candidatesMax);
  return checks.flatMap((node): Skip[] => {
    const then = part(node, "then");
    const leave = then && leaveIn(then);
    const before = (node.parent?.children ?? []).filter(({ end }) => end <= node.start).at(-1);
    return before && then && leave && gives(then, true) ? skipOf(program, node, before, following(node), leave) : [];
  });
}

function isErrorCheck(node: CodeNode): boolean {
  const condition = node.kind === "if" ? part(node, "condition") : null;
  const right = condition?.name === "!=" ? part(condition, "right") : null;
  return condition !== null && right !== null && isNothing(right) && /^err/i.test(part(condition, "left")?.name ?? "");
}

/** Returns the statement at the end of a block that ends a round of a loop, or the loop. */
function leaveIn(block: CodeNode): CodeNode | null {
  const last = block.children.at(-1);
  return last?.kind === "leave" ? last : null;
}

function following(node: CodeNode | null): CodeNode[] {
  return (node?.parent?.children ?? []).filter(({ start }) => node && start >= node.end);
}

function skipOf(
  program: Program,
  node: CodeNode,
  tried: CodeNode,
  filling: readonly CodeNode[],
  leave: CodeNode | null,
): Skip[] {
  const isLast = leave !== null && leave.name !== "continue";
  const loop = loopAround(program, node);
  if (!loop) return [];
  let left = fillingMax;
  for (const one of ownOf(filling)) {
    if (left-- <= 0) return [];
    const isYield = one.kind === "yield" && isWithin(one, loop);
    const into = isYield ? null : filledBy(program, one);
    const call = isYield || into !== null ? failingIn(tried, one) : null;
    if (call) return asking.has(call.name ?? "") ? [] : [{ node, tried: call, fill: one, into, isLast }];
  }
  return [];
}

/** Returns the call that makes what is added, or else the first one of what may fail. */
function failingIn(tried: CodeNode, fill: CodeNode): CodeNode | null {
  const isCall = ({ kind }: CodeNode): boolean => kind === "call";
  const added = part(fill, "value") ?? part(fill, "right") ?? argumentsOf(fill).at(-1)?.value;
  const maker = added && isWithin(fill, tried) ? [...walkOwn(added)].find(isCall) : undefined;
  return maker ?? [...walkOwn(tried)].find(isCall) ?? null;
}

function* ownOf(nodes: readonly CodeNode[]): Generator<CodeNode> {
  for (const node of nodes) yield* walkOwn(node);
}

/** Returns the loop over elements around a node, or the function that is called for each of them. */
function loopAround({ dialect }: Program, node: CodeNode): CodeNode | null {
  const at = around(node, "loop", "function");
  if (at?.kind === "loop") return part(at, "over") ? at : null;
  const call = at?.role === "argument" && at.parent?.kind === "call" ? at.parent : null;
  return call && dialect.calls.each.has(call.name ?? "") ? at : null;
}

/** Returns the name of the collection that code adds an element to. */
function filledBy({ dialect }: Program, node: CodeNode): string | null {
  const { adding, putting } = dialect.calls;
  if (node.kind === "assign") {
    const target = part(node, "target");
    const value = part(node, "value");
    const isAppended = value?.kind === "call" && value.name === "append" && target?.kind === "name";
    return target && (target.kind === "index" || isAppended)
      ? nameOf(target.kind === "index" ? part(target, "on") : target)
      : null;
  }
  if (node.kind === "binary" && adding.has(node.name ?? "")) return nameOf(part(node, "left"));
  const isFilling = node.kind === "call" && (adding.has(node.name ?? "") || putting.has(node.name ?? ""));
  return isFilling ? nameOf(receiverOf(node)) : null;
}

/** Returns the name of a collection, or of the one that it is an element of: `byCode` for `byCode[code].push(…)`. */
function nameOf(collection: CodeNode | null): string | null {
  let at = collection;
  while (at?.kind === "index") at = part(at, "on");
  return at && (lastName(at) ?? rootOf(at).name);
}

/** Returns whether the failing value was read from the collection: a step in its function, or its class, names it. */
function isRead(program: Program, fill: CodeNode, into: string | null, steps: readonly AnyCodeSignal[]): boolean {
  const scope = scopeOf(fill);
  if (isCalledUnseen(scope, steps)) return true;
  const [from, to] = [program.source.lineAt(scope.start), program.source.lineAt(scope.end)];
  return steps.some(({ kind, args, subject }) => {
    if (kind !== "value-step" || subject.file !== program.source.name) return false;
    if (subject.line < from || subject.line > to) return false;
    return into === null ? args.how === "return" : args.code.split(/[^\w$]+/).includes(into);
  });
}

/** Returns whether a value comes from a call of such a name that wasn't followed into any function. */
function isCalledUnseen(scope: CodeNode, steps: readonly AnyCodeSignal[]): boolean {
  const name = scope.kind === "function" ? ownName(scope) : null;
  if (name === null) return false;
  const isCalled = steps.some(({ kind, args }) => kind === "value-step" && args.how === "call" && args.name === name);
  return isCalled && !steps.some(({ subject }) => subject.function?.split(".").at(-1) === name);
}

/** Returns the outermost function around code; for a collection in a field, the class. */
function scopeOf(fill: CodeNode): CodeNode {
  const target = part(fill, "target") ?? part(fill, "left") ?? receiverOf(fill);
  const isField = target !== null && [...walkOwn(target)].some(({ kind }) => kind === "member");
  const owner = isField ? around(fill, "class") : null;
  if (owner) return owner;
  let at = fill.owner ?? fill;
  while (at.owner) at = at.owner;
  return at;
}
