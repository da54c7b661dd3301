import type { LocatedFrame } from "../../findings/located-frame.ts";
import { saidBy } from "../../words/thrown.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, heldBy, lastName, plain, textOf } from "../code/expressions.ts";
import { ownName } from "../code/functions.ts";
import {
  around,
  type CodeNode,
  functionNodesMax,
  is,
  isWithin,
  nodesBetween,
  part,
  walk,
  walkOwn,
} from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { isInContext } from "./resources.ts";

/** A call that takes a share of what ran out. */
interface Use {
  readonly program: Program;
  readonly call: CodeNode;
}

/** How a function keeps what it took. */
type Leak =
  | { readonly how: "never"; readonly leavesAt: null }
  | { readonly how: "unless-left"; readonly leavesAt: CodeNode };

const framesMax = 6;
const nodesMax = 200;
const usesMax = 60;
const keptMax = 3;
/** Fewer uses have nothing to be compared with. */
const usesMin = 2;
/** Matches what an error says, with its type, about a shared resource that ran out. */
export const exhausted =
  /\b(?:exhausted|in use|too many (?:open|clients|connections)|connection slots|no (?:free |idle |more )?(?:connections?|slots?|workers?|permits?|seats?|leases?)\b|pool\b.{0,40}(?:timed? ?out|limit|full|empty)|limit of \d|all \d+ |EMFILE|ENFILE)|(?:timed? ?out|timeout|waited|within \d+ ?m?s).{0,60}(?:connection|pool|slot|lock|lease|permit|semaphore)/i;
const releasing: ReadonlySet<string> = new Set(
  "release destroy end close free unlock give_back giveBack put putconn checkin leave exit done up signal dispose restore".split(
    " ",
  ),
);

/** Names of functions that release their arguments. */
const releasingWord = /release|clos|free|return|dispose|put_?back/i;

/**
 * Notes functions that acquire a share of an exhausted resource and don't release it. The function that waits is on the
 * stack; the one that keeps a share isn't. A function that never releases counts only where most others do.
 */
export function findKeptResources({ codebase, chain }: Failure, trail: Trail): void {
  for (const { exception, frames } of chain) noteKept(codebase, saidBy(exception), frames, trail);
}

function noteKept(codebase: Codebase, said: string, frames: readonly LocatedFrame[], trail: Trail): void {
  if (!exhausted.test(said) && !isWaiting(said, frames)) return;
  const uses = usesOf(codebase, frames);
  const leaks = uses.flatMap((use) => {
    const leak = leakOf(codebase, use);
    return leak ? [{ ...use, leak }] : [];
  });
  const never = leaks.filter(({ leak }) => leak.how === "never");
  // A function that releases on another path needs no comparison with others.
  if (never.length > 0 && (uses.length < usesMin || never.length * 2 > uses.length)) return;
  const worst = never.length > 0 ? never : leaks;
  for (const { program, call, leak } of worst.slice(0, keptMax)) {
    const acquire = textOf(part(call, "callee") ?? call, program.source);
    const leavesAtLine = leak.leavesAt && program.source.lineAt(leak.leavesAt.start);
    const args = { acquire, how: leak.how, leavesAtLine, uses: uses.length };
    trail.add({ kind: "kept-resource", args }, placeAt(program, call), null);
  }
}

/** What an error says when waiting took too long. */
const waitedLong = /\bbusy\b|time[ds]? ?out/i;
/** Functions that wait for a share. */
const waiting = /^(?:try_?)?(?:acquire|lock|borrow|check_?out|lease|reserve|obtain|claim|take_?permit)$/i;

/** Returns whether the function that failed waited for a share for too long. */
function isWaiting(said: string, frames: readonly LocatedFrame[]): boolean {
  const name = frames[0]?.frame.function?.split(/[.\s]/).at(-1) ?? "";
  return waitedLong.test(said) && waiting.test(name);
}

const acquiring =
  /^(?:acquire|connect|get_?[cC]onn(?:ection)?|check_?out|take|borrow|lease|reserve|lock|enter|open|get_?[cC]lient|obtain|rent|begin|claim|slot|wait)\w{0,20}$/;

/**
 * Returns every call that acquires from the same pool as one on the stack: a call of the same name on a receiver of the
 * same name. If the error was created in a timer, the function around it has the call.
 */
function usesOf(codebase: Codebase, frames: readonly LocatedFrame[]): Use[] {
  const shown = frames.slice(0, framesMax).flatMap(({ place }) => {
    const program = place && codebase.of(place.source);
    return place && program && !program.isInstalled ? [{ program, place }] : [];
  });
  const names = frames.slice(0, framesMax).map(({ frame }) => frame.function?.split(/[.\s]/).at(-1) ?? "");
  for (const { program, place } of shown) {
    const call = callsOn(program, place.line).find(
      ({ name }) => name !== null && names.includes(name) && isTaking(name),
    );
    const on = call && receiverName(call);
    if (call) return callsNamed(codebase, program, call.name ?? "").filter((use) => receiverName(use.call) === on);
  }
  for (const { program, place } of shown) {
    const name = place.function?.split(".").at(-1) ?? "";
    if (isTaking(name)) return callsNamed(codebase, program, name);
    const call = callsOn(program, place.line).find((one) => isTaking(one.name ?? "") && !is(one, "new"));
    const on = call && receiverName(call);
    if (call) return callsNamed(codebase, program, call.name ?? "").filter((use) => receiverName(use.call) === on);
  }
  return [];
}

function isTaking(name: string): boolean {
  return acquiring.test(name);
}

function callsOn({ tree, source }: Program, line: number): CodeNode[] {
  const { start, end } = source.lines(line, line);
  return nodesBetween(tree, start, end, nodesMax).filter(({ kind }) => kind === "call");
}

function callsNamed(codebase: Codebase, { dialect }: Program, name: string): Use[] {
  return codebase
    .near()
    .filter((one) => one.dialect === dialect)
    .flatMap((program) =>
      (program.calls.get(name) ?? [])
        .filter(({ owner }) => owner !== null && ownName(owner) !== name)
        .map((call) => ({ program, call })),
    )
    .slice(0, usesMax);
}

function receiverName(call: CodeNode): string | null {
  const callee = part(call, "callee");
  const on = callee && part(callee, "on");
  return on && lastName(on);
}

/** Returns how a function keeps a resource; null if it releases it or passes it on. */
function leakOf(codebase: Codebase, { program, call }: Use): Leak | null {
  const { owner } = call;
  if (!owner) return null;
  const outer = call.parent?.kind === "await" ? call.parent : call;
  const { parent, role } = outer;
  const name = heldBy(call);
  const isDropped = parent?.kind === "block" || parent?.kind === "other" || parent?.kind === "if";
  if (isInContext(outer) || (parent && is(parent, "disposed"))) return null;
  if (name === null && (!isDropped || role === "value")) return null;
  const binding = name !== null && parent ? resolve(program, name, parent) : null;
  const isIt = (node: CodeNode): boolean =>
    name !== null && isNamed(node, name) && resolve(program, name, node) === binding;
  const on = receiverName(call);
  const nodes = [...walk(owner, functionNodesMax)].filter(({ start }) => start > outer.end);
  const releases = nodes.filter((node) => {
    if (node.kind !== "call") return isIt(node) && isInContext(node);
    const called = node.name ?? "";
    if (!releasing.has(called))
      return releasingWord.test(called) && argumentsOf(node).some(({ value }) => isIt(plain(value)));
    if (name === null) return receiverName(node) === on;
    return nodesBetween(node, node.start, node.end, nodesMax).some(isIt);
  });
  if (releases.length === 0)
    return nodes.some((node) => isIt(node) && isHandedOn(codebase, node)) ? null : { how: "never", leavesAt: null };
  if (releases.some(isInContext)) return null;
  const sure = releases.map((release) => sureFrom(release, owner)).filter((from) => from !== null);
  const last = sure.length > 0 ? Math.min(...sure) : Math.max(...releases.map(({ start }) => start));
  const between = [...walkOwn(owner)].filter(({ start, end }) => start >= outer.end && end <= last);
  const left = between.find(
    (node) =>
      leaves(node) &&
      !isWithoutShare(node, call, name) &&
      !releases.some((release) => isBefore(release, node)) &&
      !nodesBetween(node, node.start, node.end, nodesMax).some((one) => isIt(one) && isHandedOn(codebase, one)),
  );
  return left ? { how: "unless-left", leavesAt: left } : null;
}

function isNamed({ kind, name }: CodeNode, wanted: string): boolean {
  return kind === "name" && name === wanted;
}

function leaves({ kind }: CodeNode): boolean {
  return kind === "return" || kind === "throw";
}

/** Returns whether a release is in the same block as what leaves the function, before it. */
function isBefore(release: CodeNode, leaving: CodeNode): boolean {
  const block = around(leaving, "block");
  return release.start < leaving.start && (block === null || isWithin(release, block));
}

/**
 * Returns from where a release is certain: the start of what ends with it in a `finally` block, where it is deferred, or
 * the function that is handed to what calls it. Null if it isn't.
 */
function sureFrom(release: CodeNode, owner: CodeNode): number | null {
  for (let at = release; at !== owner && at.parent !== null; at = at.parent) {
    if (at.role === "final") return at.parent.start;
    if (at.kind === "function") return at.start;
  }
  return null;
}

/** Returns whether a function is left because nothing was acquired: in the handler of its error, or after a check of it. */
function isWithoutShare(leaving: CodeNode, call: CodeNode, name: string | null): boolean {
  const handler = around(leaving, "catch", "function");
  if (handler?.kind === "catch" && handler.parent && isWithin(call, handler.parent)) return true;
  const condition = part(around(leaving, "if", "function") ?? leaving, "condition");
  return name !== null && condition !== null && [...walk(condition, nodesMax)].some((node) => isNamed(node, name));
}

/**
 * Whether a resource is returned, kept in a field or collection, or passed to another function, which then has to
 * release it.
 */
function isHandedOn(codebase: Codebase, use: CodeNode): boolean {
  let node = use;
  while (node.parent && ["entry", "object", "list", "await", "spread"].includes(node.parent.kind)) node = node.parent;
  const { parent, role } = node;
  if (parent?.kind === "return" || (parent?.kind === "function" && role === "body")) return true;
  if (parent?.kind === "assign" && role === "value") return part(parent, "target")?.kind !== "name";
  if (parent?.kind !== "call" || role !== "argument") return false;
  const called = parent.name ?? "";
  return (
    /^(?:push|add|set|append|resolve|pipe|pipeline)$/.test(called) ||
    codebase.functionsNamed(called).some(({ program }) => !program.isInstalled)
  );
}
