import type { EventFacts } from "../../findings/event-facts.ts";
import { chainOf, isSame, lastName, plain, receiverOf, rootOf, textOf, wordsOf } from "../code/expressions.ts";
import { nameAround } from "../code/functions.ts";
import { type CodeNode, is, part, walk } from "../code/ir.ts";
import { requiredBy } from "../code/modules.ts";
import { type Program, put, type Write } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Said, type Trail } from "../follow/trail.ts";

type Args = (Said & { readonly kind: "kept-credential" })["args"];

/** A write that keeps a credential. */
interface Kept {
  readonly program: Program;
  readonly write: Write;
  readonly args: Args;
}

const keptMax = 2;
const depthMax = 3;

/** Messages for a refused credential. */
const refused =
  /\b401\b|\b403\b|\b535\b|expired|unauthori[sz]ed|forbidden|unauthenticated|authentication|(?:invalid|no longer valid|bad|revoked|rejected).{0,20}(?:key|token|credential|session|signature|ticket)|(?:key|token|credential|session|signature|ticket|certificate)s?\b.{0,30}(?:invalid|valid|expired|revoked|rejected|refused)|access denied|\bjwt\b/i;

const secret =
  /token|credential|secret|session|ticket|api_?key|passw|auth_?(?:token|key|header)|log_?in|sign_?in|grant|cert|bearer|jwt|(?:^|_)key$|Key$/i;
const dated = /expir|until|\bexp\b|renew|stale|deadline|\bage|now\b|time|valid|Date|fresh|ttl/i;
const alternatives: readonly string[] = ["||", "??", "or"];
const conjunctions: readonly string[] = ["&&", "and"];
/** Comparisons of times. */
const comparing: ReadonlySet<string> = new Set(["<", ">", "<=", ">="]);
/** Methods of texts: what is used by them is no client. */
const textMethods: ReadonlySet<string> = new Set(
  "trim strip split slice substring replace replaceAll startsWith endsWith startswith endswith includes toString encode decode format".split(
    " ",
  ),
);
/** Methods that empty what is kept. */
const emptying: ReadonlySet<string> = new Set(["clear", "pop", "delete"]);

/** Notes where a credential is obtained once and kept, if the error says that one was refused. */
export function findKeptCredentials({ codebase, said, event }: Failure, trail: Trail): void {
  if (![said, ...lastAnswer(event)].some((text) => refused.test(text))) return;
  const own = codebase.own();
  const found = own.flatMap((program) => keptIn(program)).filter((one) => !isRenewed(own, one) && !isTool(own, one));
  if (found.length > keptMax) return;
  for (const { program, write, args } of found)
    trail.add({ kind: "kept-credential", args }, placeAt(program, write.node), null);
}

/** The status of the last call that can have led to the error: an answer of 401 is often read as if it were another. */
function lastAnswer(event: EventFacts | null): string[] {
  const status = event?.calls.findLast(({ isRelated }) => isRelated)?.data.status_code;
  return status === undefined ? [] : [`status ${status}`];
}

function keptIn(program: Program): Kept[] {
  const writes = [...program.nameWrites, ...[...program.fieldWrites.values()].flat(), ...elementWrites(program)];
  return writes.flatMap((write) => {
    const how = howKept(program, write);
    const call = how && write.value && callBehind(program, write.value);
    if (!how || !call) return [];
    const callee = part(call, "callee") ?? call;
    const obtained = textOf(callee, program.source).replace(/^(?:this|self)\./, "");
    // What is made once is named after credentials as often as it is one: schemas, routers, and functions that check them.
    const names =
      how === "first-use"
        ? [write.name, [...wordsOf(chainOf(callee))].join("."), nameAround(write.node) ?? ""]
        : [call.name ?? lastName(callee) ?? ""];
    const name = textOf(write.target ?? callee, program.source);
    return names.some((one) => secret.test(one))
      ? [{ program, write, args: { name: write.target ? name : write.name, obtained, how } }]
      : [];
  });
}

/** Writes to elements of a collection that the file keeps: `held["secret"] = …`. */
function elementWrites({ entries }: Program): Write[] {
  return [...entries.values()].flat().filter(({ target, on }) => target?.kind === "index" && on !== null);
}

/** Returns the call that made a value, also where only a part of its result is kept. */
function callBehind(program: Program, value: CodeNode, depth = depthMax): CodeNode | null {
  const node = plain(value);
  if (node.kind === "call") return is(node, "new") || requiredBy(node) ? null : node;
  if (depth === 0) return null;
  if (node.kind === "binary" && isDefault(node)) return callBehind(program, part(node, "right") ?? node, depth - 1);
  if (node.kind === "object") {
    for (const { children } of node.children)
      for (const one of children) {
        const call = callBehind(program, one, depth - 1);
        if (call) return call;
      }
    return null;
  }
  const root = node.kind === "member" || node.kind === "index" ? rootOf(node) : node;
  if (root.kind === "call") return is(root, "new") || requiredBy(root) ? null : root;
  if (root.kind !== "name" || root.name === null) return null;
  const binding = resolve(program, root.name, root);
  const [only, ...others] = binding?.kind === "variable" ? binding.writes : [];
  const behind = only?.value && others.length === 0 ? callBehind(program, only.value, depth - 1) : null;
  return behind ?? chainOf(node).find((one) => one.kind === "call" && !is(one, "new") && !requiredBy(one)) ?? null;
}

/** Returns the parts of a condition between some operators: `!token` and `force` of `!token || force`. */
function operandsOf(condition: CodeNode, operators: readonly string[]): CodeNode[] {
  const found: CodeNode[] = [];
  const pending = [condition];
  for (let at = pending.pop(); at !== undefined && found.length < conditionNodesMax; at = pending.pop()) {
    const node = plain(at);
    const isJoined = node.kind === "binary" && operators.includes(node.name ?? "");
    if (isJoined) pending.push(...node.children);
    else found.push(node);
  }
  return found;
}

/** Returns whether an expression is its left side, or its right one where that has nothing. */
function isDefault({ kind, name }: CodeNode): boolean {
  return kind === "binary" && alternatives.includes(name ?? "");
}

/** Returns how a write keeps its value for good; null where it is one of several, or asks for the time. */
function howKept({ tree, dialect }: Program, { node, target, name, on }: Write): Args["how"] | null {
  const { owner } = node;
  if (owner === null) return node.parent === tree || node.parent?.parent === tree ? "at-load" : null;
  if (dialect.constructors.has(owner.name ?? "") && (on !== null || target?.kind === "member")) return "constructor";
  if (node.kind !== "assign") return null;
  if (["??=", "||="].includes(node.name ?? "")) return "first-use";
  const names = [name, on && lastName(on)];
  // Whatever else renews the value means that it isn't kept for good.
  const isAbout = (condition: CodeNode | null, operators = alternatives): boolean =>
    condition !== null &&
    operandsOf(condition, operators).every((one) => {
      const parts = [...walk(one, conditionNodesMax)];
      const words = [...wordsOf(parts)];
      const isDated = words.some((word) => dated.test(word)) || parts.some(isComparison);
      return words.some((word) => names.includes(word)) && !isDated;
    });
  const value = part(node, "value");
  if (value && isDefault(plain(value)) && isAbout(part(plain(value), "left"))) return "first-use";
  const inside = conditionOf(node);
  if (inside) return isAbout(inside) ? "first-use" : null;
  const earlier = node.parent?.children.filter(({ kind, end }) => kind === "if" && end <= node.start) ?? [];
  return earlier.some((one) => isAbout(part(one, "condition"), conjunctions)) ? "first-use" : null;
}

/** Returns what decides within its function whether code runs: `if`, `a ? … : …`, or `a || …`. */
function conditionOf(node: CodeNode): CodeNode | null {
  for (let at = node; at.parent !== null && at.parent.kind !== "function"; at = at.parent) {
    const { parent } = at;
    const isBranch = (parent.kind === "if" || parent.kind === "choice") && at.role !== "condition";
    if (isBranch) return part(parent, "condition");
    if (isDefault(parent) && at.role === "right") return part(parent, "left");
  }
  return null;
}

const conditionNodesMax = 200;

function isComparison({ kind, name }: CodeNode): boolean {
  return kind === "binary" && comparing.has(name ?? "");
}

/** Returns whether other code drops what is kept, or writes it again. */
function isRenewed(programs: readonly Program[], { program, write }: Kept): boolean {
  const isField = write.on !== null || write.target?.kind === "member";
  const others = programs.flatMap((one) => [
    ...(isField ? (one.fieldWrites.get(write.name) ?? []) : []),
    ...(isField ? (one.entries.get(write.name) ?? []).filter(({ target }) => target !== null) : []),
    ...(one === program && !isField ? one.nameWrites.filter(({ name }) => name === write.name) : []),
  ]);
  const isLater = ({ node }: Write): boolean =>
    node !== write.node &&
    node.owner !== null &&
    !program.dialect.constructors.has(node.owner.name ?? "") &&
    node.kind === "assign";
  return others.some(isLater) || programs.some((one) => isDroppedIn(one, write));
}

function isDroppedIn({ deleted, calls }: Program, { name, target }: Write): boolean {
  const isIt = (on: CodeNode | null): boolean =>
    on !== null && (target ? isSame(on, target) : on.kind === "name" && on.name === name);
  return (
    deleted.some((one) => [...wordsOf(walk(one, conditionNodesMax))].includes(name)) ||
    [...emptying].some((method) => calls.get(method)?.some((call) => isIt(receiverOf(call))))
  );
}

/**
 * Returns whether the kept value, or a member of it, is called: then it is a client or a function rather than a
 * credential.
 */
function isTool(programs: readonly Program[], { program, write }: Kept): boolean {
  const { name } = write;
  const isField = write.on !== null || write.target?.kind === "member";
  const binding = isField ? null : resolve(program, name, write.node);
  return programs.some((one) =>
    (calledIn(one).get(name) ?? []).some((node) => {
      if (isField || node.kind !== "name") return isField && node.kind === "member";
      const used = resolve(one, name, node);
      return one === program ? used === binding : used?.kind === "import";
    }),
  );
}

const calledOfPrograms = new WeakMap<Program, ReadonlyMap<string, readonly CodeNode[]>>();

/** Returns the functions called in a file, and the receivers of its method calls, by last name. */
function calledIn(program: Program): ReadonlyMap<string, readonly CodeNode[]> {
  const known = calledOfPrograms.get(program);
  if (known) return known;
  const called = new Map<string, CodeNode[]>();
  for (const call of [...program.calls.values()].flat()) {
    const on = textMethods.has(call.name ?? "") ? null : receiverOf(call);
    for (const node of [part(call, "callee"), on]) {
      const name = node?.kind === "name" || node?.kind === "member" ? node.name : null;
      if (node && name !== null) put(called, name, node);
    }
  }
  calledOfPrograms.set(program, called);
  return called;
}
