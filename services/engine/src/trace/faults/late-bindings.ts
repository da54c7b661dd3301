import type { AnyCodeSignal } from "../../signals/signal.ts";
import { receiverOf, rootOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, isWithin, part, walk, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { type Binding, resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/** Calls that keep a function for later. */
const keeping: ReadonlySet<string> = new Set(
  "on once subscribe register add_listener addListener addEventListener add_event_handler connect bind setTimeout setInterval call_later call_soon add_done_callback after".split(
    " ",
  ),
);

/** Maximum functions on the trail that are looked at in one file. */
const madeMax = 40;

/** Notes functions on the trail that were made in a loop and kept, where the value came from the loop's variable. */
export function findLateBindings({ codebase }: Failure, trail: Trail): void {
  const signals = trail.signals();
  for (const program of new Set(signals.flatMap(({ subject }) => codebase.of(subject.source) ?? []))) {
    const own = signals.filter(({ subject }) => subject.source === program.source);
    const onTrail = program.isInstalled ? [] : program.functions.filter((one) => isPassed(program, one, own));
    for (const made of onTrail.slice(0, madeMax)) {
      const loop = keptIn(program, made);
      const [only] = loop ? sharedIn(program, made, loop).filter((one) => isRead(program, made, one, own)) : [];
      if (!only) continue;
      const how = program.dialect.scopes === "function" ? "loop" : "var";
      trail.add({ kind: "late-binding", args: { name: only.name, how } }, placeAt(program, made), own[0] ?? null);
    }
  }
}

/** Returns whether the trail passes through a function. */
function isPassed({ source }: Program, { start, end }: CodeNode, own: readonly AnyCodeSignal[]): boolean {
  const [first, last] = [source.lineAt(start), source.lineAt(end)];
  return own.some(({ subject, towards }) =>
    [subject, towards?.subject].some((one) => one?.source === source && first <= one.line && one.line <= last),
  );
}

/** Returns the loop in which a function is made and kept for later; null when it isn't. */
function keptIn(program: Program, made: CodeNode): CodeNode | null {
  const loop = loopAround(made);
  if (!loop || leavesAfter(loop, made)) return null;
  const uses = made.name === null || made.role !== null ? [made] : usesOf(program, made, loop);
  return uses.some((use) => isKept(program, use, loop) && !isOfIteration(program, use, loop)) ? loop : null;
}

/** Returns the loop or comprehension around a function, in the function that makes it. */
function loopAround(made: CodeNode): CodeNode | null {
  for (let at = made.parent; at !== null && at.kind !== "function" && at.kind !== "class"; at = at.parent)
    if (at.kind === "loop" || at.children.some((one) => one.kind === "loop" && !part(one, "body"))) return at;
  return null;
}

/** Returns whether a loop may end with the function that it made: that one sees the right value. */
function leavesAfter(loop: CodeNode, made: CodeNode): boolean {
  return [...walkOwn(loop)].some(
    ({ kind, name, start }) => start > made.end && ((kind === "leave" && name !== "continue") || kind === "return"),
  );
}

function usesOf(program: Program, made: CodeNode, loop: CodeNode): CodeNode[] {
  return [...walk(loop, functionNodesMax)].filter(
    (node) => node.kind === "name" && node.name === made.name && resolve(program, made.name ?? "", node)?.node === made,
  );
}

/** Returns whether a function outlives the iteration: in a collection, in a field, or registered. */
function isKept(program: Program, { parent, role }: CodeNode, loop: CodeNode): boolean {
  if (!parent) return false;
  if (parent.kind === "assign")
    return role === "value" && /^(?:index|member)$/.test(part(parent, "target")?.kind ?? "");
  if (parent.kind === "call") {
    const { adding, putting } = program.dialect.calls;
    return role === "argument" && [keeping, adding, putting].some((names) => names.has(parent.name ?? ""));
  }
  const collection = parent.kind === "entry" ? parent.parent : parent;
  const isHeld = parent.kind === "entry" ? collection?.kind !== "call" : parent.kind === "list";
  if (role !== "value" || !collection || !isHeld) return false;
  // One that an iteration makes is gone with it, unless it is kept, too.
  return !isWithin(collection, loop) || collection === loop || isKept(program, collection, loop);
}

/** Returns whether what keeps a function is made for one iteration, too. */
function isOfIteration(program: Program, { parent }: CodeNode, loop: CodeNode): boolean {
  const holder = parent?.kind === "assign" ? part(parent, "target") : parent && receiverOf(parent);
  const root = holder && rootOf(holder);
  const binding = root?.kind === "name" && root.name !== null ? resolve(program, root.name, root) : null;
  const [only, ...others] = binding?.kind === "variable" ? binding.writes : [];
  const isMade = only?.value?.kind === "list" || only?.value?.kind === "object";
  return only !== undefined && others.length === 0 && isMade && isWithin(only.node, loop);
}

/** Returns the variables that the function reads and that each iteration of the loop sets. */
function sharedIn(program: Program, made: CodeNode, loop: CodeNode): Binding[] {
  const names = [...walk(made, functionNodesMax)].filter((node) => node.kind === "name" && node.role !== "fallback");
  const bindings = new Set(names.flatMap((node) => resolve(program, node.name ?? "", node) ?? []));
  return [...bindings].filter(
    ({ kind, scope, writes }) =>
      kind === "variable" &&
      !isWithin(scope, loop) &&
      writes.some(({ node }) => isWithin(node, loop) && !isWithin(node, made)),
  );
}

/** Returns whether the trail passes through the function to the variable. */
function isRead(program: Program, made: CodeNode, { name, writes }: Binding, own: readonly AnyCodeSignal[]): boolean {
  const { source } = program;
  const isInside = ({ line }: AnyCodeSignal["subject"]): boolean =>
    source.lineAt(made.start) <= line && line <= source.lineAt(made.end);
  const set = new Set(writes.map(({ node }) => source.lineAt(node.start)));
  return own.some((signal) => {
    const { towards } = signal;
    if (isInside(signal.subject) && namesOf(signal).includes(name)) return true;
    return towards?.subject.source === source && isInside(towards.subject) && set.has(signal.subject.line);
  });
}

function namesOf(signal: AnyCodeSignal): readonly string[] {
  return signal.kind === "value-step" || signal.kind === "bad-value" ? (signal.args.path ?? []).slice(0, 1) : [];
}
