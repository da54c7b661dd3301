import { heldBy, textOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, is, part, walk, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";

/** A resource that isn't released on every path. */
export interface UnreleasedResource {
  readonly node: CodeNode;
  /** Such as `pool.acquire`. */
  readonly acquire: string;
  /** The path that skips the release; null if nothing releases it. */
  readonly leavesAt: CodeNode | null;
}

/**
 * Maximum number of calls. Each is followed to the end of its function, so a file full of them would take quadratic
 * time.
 */
const callsMax = 40;
const acquiring =
  "acquire connect getConnection checkout take borrow lease reserve lock open openSync createReadStream createWriteStream getClient obtain watch getconn Acquire Open".split(
    " ",
  );
const releasing: ReadonlySet<string> = new Set(
  "release destroy end close closeSync free unlock giveBack put putconn checkin returnToPool dispose unwatch Release Close Unlock".split(
    " ",
  ),
);

/** Returns resources that functions acquire and don't release, or release only if there is no error. */
export function unreleasedIn(program: Program): UnreleasedResource[] {
  const calls = acquiring.flatMap((name) => program.calls.get(name) ?? []);
  return calls.slice(0, callsMax).flatMap((call) => leakOf(program, call) ?? []);
}

function leakOf(program: Program, call: CodeNode): UnreleasedResource | null {
  const { owner } = call;
  const outer = call.parent?.kind === "await" ? call.parent : call;
  const declared = outer.parent;
  const name = heldBy(call);
  if (!owner || !declared || name === null || is(declared, "disposed") || isInContext(outer)) return null;
  const binding = resolve(program, name, declared);
  const uses: CodeNode[] = [];
  for (const node of walk(owner, functionNodesMax)) {
    if (
      node.kind === "name" &&
      node.name === name &&
      node.start > declared.end &&
      resolve(program, name, node) === binding
    )
      uses.push(node);
  }
  if (uses.some(isInContext)) return null;
  const callee = part(call, "callee") ?? call;
  const base = { node: call, acquire: textOf(callee, program.source) };
  const release = uses.map(releaseBy).find((one) => one !== null);
  if (!release) return uses.some(isHandedOn) ? null : { ...base, leavesAt: null };
  if (isSure(release, owner)) return null;
  const leavesAt = exitBetween(owner, declared.end, release.start);
  return leavesAt ? { ...base, leavesAt } : null;
}

/** Returns whether leaving a block releases it: `with acquire() as name`, `with name`, `with closing(name)`. */
export function isInContext({ parent, role }: CodeNode): boolean {
  if (role === "argument" && parent?.kind === "call") return isInContext(parent);
  return role === "context" || (role === "value" && parent?.role === "context");
}

/** Matches `name.release()`, `pool.release(name)`, and either of them passed as a callback. */
function releaseBy(use: CodeNode): CodeNode | null {
  const { parent, role } = use;
  if (parent?.kind === "member" && role === "on" && releasing.has(parent.name ?? "")) return parent;
  return parent?.kind === "call" && role === "argument" && releasing.has(parent.name ?? "") ? parent : null;
}

/** Returned, or kept in a field or collection: whatever receives it must release it. */
function isHandedOn(use: CodeNode): boolean {
  let node = use;
  while (node.parent && ["entry", "object", "list", "await", "spread"].includes(node.parent.kind)) node = node.parent;
  const { parent, role } = node;
  if (parent?.kind === "return" || (parent?.kind === "function" && role === "body")) return true;
  if (parent?.kind === "assign" && role === "value") return part(parent, "target")?.kind !== "name";
  return (
    parent?.kind === "call" &&
    role === "argument" &&
    /^(?:push|add|set|append|resolve|pipe|pipeline)$/.test(parent.name ?? "")
  );
}

/** In a `finally` block, deferred, or in a function that is passed to something that calls it. */
function isSure(node: CodeNode, owner: CodeNode): boolean {
  for (let at = node; at !== owner && at.parent !== null; at = at.parent) {
    if (at.role === "final" || at.kind === "function") return true;
    if (at.kind === "call" && at.role === "callee") return true;
  }
  return false;
}

/**
 * Finds a `return`, `throw`, or `await` between acquiring and releasing: if it leaves the function, nothing is
 * released.
 */
function exitBetween(owner: CodeNode, from: number, to: number): CodeNode | null {
  let waits: CodeNode | null = null;
  for (const node of walkOwn(owner)) {
    if (node.start < from || node.end > to) continue;
    if (node.kind === "return" || node.kind === "throw") return node;
    if (node.kind === "await") waits ??= node;
  }
  return waits;
}
