import { calleesOf } from "./calls.ts";
import type { Codebase } from "./codebase.ts";
import { argumentsOf, lastName, plain, receiverOf } from "./expressions.ts";
import { returnsOf } from "./functions.ts";
import { type CodeNode, is, part, walkOwn } from "./ir.ts";
import type { Program } from "./program.ts";
import { resolve } from "./scopes.ts";

/** A promise that nothing awaits. */
export interface UnawaitedCall {
  readonly node: CodeNode;
  readonly callee: string;
  readonly how: "forgotten" | "in-callback" | "as-value";
}

/** Calls known to return a promise, whatever defines them. */
const promising: ReadonlySet<string> = new Set(["fetch", "json", "arrayBuffer"]);
const handling: ReadonlySet<string> = new Set(["then", "catch", "finally"]);
/** More such calls in one file say nothing about any of them. */
const callsMax = 20;
const callsLookedAtMax = 400;

/** Returns calls of async functions whose result isn't awaited, returned, or passed on. */
export function findUnawaited(codebase: Codebase, program: Program): UnawaitedCall[] {
  const found: UnawaitedCall[] = [];
  if (program.dialect.waiting === "none") return found;
  const asyncNames = asyncNamesIn(codebase);
  let looked = 0;
  for (const [name, calls] of program.calls) {
    for (const call of calls) {
      if (found.length >= callsMax || looked > callsLookedAtMax) return found;
      const callback = name === "forEach" ? argumentsOf(call)[0]?.value : undefined;
      if (callback && is(callback, "async") && awaits(callback))
        found.push({ node: call, callee: name, how: "in-callback" });
      if (!asyncNames.has(name) && !promising.has(name)) continue;
      looked++;
      const how = neglect(program, call);
      if (how === null) continue;
      const targets = calleesOf(codebase, program, call);
      const isPromise =
        targets.length > 0
          ? targets.every((one) => givesPromise(one.program, one.node))
          : promising.has(name) && isAsked(call, name) && (how === "as-value" || name === "fetch");
      if (isPromise) found.push({ node: call, callee: name, how });
    }
  }
  return found;
}

const asyncNames = new WeakMap<Codebase, ReadonlySet<string>>();

/** Returns names of functions that are async somewhere. */
function asyncNamesIn(codebase: Codebase): ReadonlySet<string> {
  const known = asyncNames.get(codebase);
  if (known) return known;
  const names = new Set<string>();
  for (const program of codebase.all()) {
    for (const node of program.functions) {
      const name =
        node.name ?? (node.parent ? (node.parent.name ?? lastName(part(node.parent, "target") ?? node)) : null);
      if (name !== null && givesPromise(program, node)) names.add(name);
    }
  }
  asyncNames.set(codebase, names);
  return names;
}

/** Returns whether a call refers to `fetch` and the like, rather than something else of that name. */
function isAsked(call: CodeNode, name: string): boolean {
  return receiverOf(call) !== null || name === "fetch";
}

/** Returns whether a function always returns a promise. */
export function givesPromise(program: Program, node: CodeNode): boolean {
  if (is(node, "async")) return true;
  if (program.dialect.waiting !== "promises") return false;
  const last = returnsOf(program, node).at(-1);
  const value = last ? plain(last) : null;
  return value?.kind === "call" && is(value, "new") && value.name === "Promise";
}

function awaits(callback: CodeNode): boolean {
  for (const node of walkOwn(callback)) if (node.kind === "await") return true;
  return false;
}

function neglect(program: Program, call: CodeNode): UnawaitedCall["how"] | null {
  const { parent, role } = call;
  if (!parent) return null;
  if (parent.kind === "block" || parent.kind === "module")
    return parent.parent?.kind === "function" && role === "body" ? null : "forgotten";
  if ((parent.kind === "if" || parent.kind === "loop") && (role === "then" || role === "otherwise" || role === "body"))
    return "forgotten";
  if ((parent.kind === "member" || parent.kind === "index") && role === "on")
    return handling.has(parent.name ?? "") ? null : "as-value";
  const isDeclared = parent.kind === "declare" && role === "value";
  return isDeclared && isUsedAsValue(program, parent) ? "as-value" : null;
}

/**
 * Matches `const name = f();` followed by `name.property` without an `await name` between them, or immediate
 * destructuring.
 */
function isUsedAsValue(program: Program, declared: CodeNode): boolean {
  const { name } = declared;
  if (name === null) return true;
  const binding = resolve(program, name, declared);
  for (const use of walkOwn(declared.owner ?? program.tree)) {
    if (use.kind !== "name" || use.name !== name || use.start < declared.end) continue;
    if (resolve(program, name, use) !== binding) continue;
    const { parent } = use;
    if (parent?.kind !== "member" && parent?.kind !== "index") return false;
    return use.role === "on" && !handling.has(parent.name ?? "");
  }
  return false;
}
