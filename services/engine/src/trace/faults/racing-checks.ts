import type { LocatedException, LocatedFrame } from "../../findings/located-frame.ts";
import { saidBy } from "../../words/thrown.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, chainOf, receiverOf, rootOf, textOf, wordsOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, is, isWithin, part, partsOf, walk, walkOwn } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { callAtFrame, nodeOnLine } from "../frames/stack-calls.ts";

const framesMax = 10;
const waitUnitsMax = 60;

/** Messages that contradict what was checked. */
const contradicted =
  /already|duplicate|unique|(?<!not |n't |no longer )exist|taken|conflict|negative|insufficient|overdrawn|below zero|not enough|oversold|overbooked|twice|double|\blent\b|holds|booked|reserved|concurren|in use|EEXIST|E11000|-\d[\d.,]* (?:\w+ ){0,2}(?:left|remain|available|in stock|free)|(?:left|remaining|available|stock|balance|seats?|quantity)(?: is| are| was| would be|:)? -\d/i;

/** A broken constraint that no other call breaks. */
const ofOneCall = /not[- ]null|foreign key/i;

/** A change that was made only if the state was as expected: the check was repeated with it. */
const conditional = /version|optimistic|stale|precondition|conditional/i;

/** Names of what runs one call at a time. */
const exclusive =
  /lock|mutex|exclusive|semaphore|serial|in_?turn|queue|at_?a_?time|sequential|for_?update|FOR UPDATE|transaction|atomic|synchroni[sz]ed|single_?flight|once\b/i;

/** Modules of programs whose functions run at the same time in several threads or processes. */
const parallel =
  /^(?:threading|concurrent|multiprocessing|flask|django|fastapi|starlette|celery|sqlalchemy|psycopg2?|redis|rq|socketserver|http)(?:\.|$)/;

/**
 * Notes where a call on the stack changes a state that its function checked before something that it waited for: what
 * the change then contradicts is another call that did the same in between.
 */
export function findRacingChecks({ codebase, chain }: Failure, trail: Trail): void {
  for (const one of chain) noteRacingCheck(codebase, one, trail);
}

function noteRacingCheck(codebase: Codebase, { exception, frames }: LocatedException, trail: Trail): void {
  const said = saidBy(exception);
  if (!contradicted.test(said) || conditional.test(said) || ofOneCall.test(said)) return;
  if (frames.some((frame) => isExclusive(codebase, frame))) return;
  for (const [index, frame] of frames.slice(0, framesMax).entries()) {
    const name = frames[index - 1]?.frame.function?.split(/[.\s]/).at(-1) ?? null;
    const at = callAtFrame(codebase, frame, name);
    if (!at || at.program.isInstalled) continue;
    const found = raceBefore(codebase, at.program, at.call);
    if (!found) continue;
    const { check, wait } = found;
    const text = (node: CodeNode, most?: number): string => textOf(node, at.program.source, most);
    const args = {
      check: text(check),
      wait: wait && text(wait, waitUnitsMax),
      act: text(part(at.call, "callee") ?? at.call),
    };
    trail.add({ kind: "racing-check", args }, placeAt(at.program, check), null);
    return;
  }
}

interface Race {
  readonly check: CodeNode;
  readonly wait: CodeNode | null;
}

function raceBefore(codebase: Codebase, program: Program, act: CodeNode): Race | null {
  const { owner } = act;
  const store = storeOf(program, act);
  if (!owner || store === null || is(act, "new") || program.dialect.waiting === "none") return null;
  const isAsync = is(owner, "async");
  if (!isAsync && (program.dialect.waiting === "promises" || !isParallel(codebase))) return null;
  const before = [...walkOwn(owner)].filter(({ start }) => start < act.end);
  const checks = before.filter(
    (node) =>
      isRead(node) &&
      !isWithin(node, act) &&
      storeOf(program, node) === store &&
      decidesBefore(program, before, node, act),
  );
  const check = checks.findLast((one) => !checks.some((other) => other !== one && isWithin(one, other)));
  if (
    !check ||
    isAbout(
      exclusive,
      [...walk(owner, functionNodesMax)].filter(({ start }) => start < check.end),
    )
  )
    return null;
  const waits = before.filter(({ start, end }) => start >= check.end && end <= act.end);
  if (isAsync) {
    const wait = waits.find(({ kind, children }) => kind === "await" && !children.some((one) => one === act));
    if (wait) return { check, wait: part(wait, "value") ?? wait };
    return check.parent?.kind === "await" ? { check, wait: null } : null;
  }
  const call = waits.find((node) => node.kind === "call" && isWaiting(program, node, act, store));
  if (call) return { check, wait: call };
  return isOutside(act) ? { check, wait: null } : null;
}

/** Names of stores that other processes change, too. */
const outside = /objects|session|cursor|\bdb\b|conn|repo|collection|redis|table/i;

function isOutside(act: CodeNode): boolean {
  return isAbout(outside, chainOf(act)) || (receiverOf(act) !== null && rootOf(act).name === "os");
}

function isAbout(subject: RegExp, nodes: Iterable<CodeNode>): boolean {
  for (const word of wordsOf(nodes)) if (subject.test(word)) return true;
  return false;
}

/** A call between the check and the change of something else takes time in a threaded program. */
function isWaiting(program: Program, node: CodeNode, act: CodeNode, store: string): boolean {
  return node.end <= act.start && !is(node, "new") && storeOf(program, node) !== store;
}

function isParallel(codebase: Codebase): boolean {
  return codebase.near().some(({ imports }) => imports.some(({ name }) => parallel.test(name ?? "")));
}

function isRead({ kind, role, parent }: CodeNode): boolean {
  if (kind === "call") return true;
  return (kind === "member" || kind === "index") && role !== "callee" && role !== "target" && parent?.kind !== "call";
}

/** What narrows a store down. */
const queries: ReadonlySet<string> = new Set(["objects", "filter", "query", "path"]);

/** Returns what a call or a read is on: an object, or the module that a function comes from. */
function storeOf(program: Program, node: CodeNode): string | null {
  const on = receiverOf(node);
  if (on) {
    const query = chainOf(on).find(({ kind, name }) => kind === "member" && queries.has(name ?? ""));
    return textOf(query ? (receiverOf(query) ?? on) : on, program.source);
  }
  const name = node.kind === "call" ? node.name : null;
  const callee = part(node, "callee");
  const binding = name !== null && callee?.kind === "name" ? resolve(program, name, callee) : null;
  const imported = binding && importedBy(binding);
  return imported ? `import ${imported.specifier}` : null;
}

/** Returns whether a condition before the change depends on what was read, or the change is given it. */
function decidesBefore(program: Program, before: readonly CodeNode[], read: CodeNode, act: CodeNode): boolean {
  for (let at: CodeNode | null = read; at !== null && at.kind !== "block"; at = at.parent) {
    if (at.role === "condition") return true;
    const name =
      at.kind === "declare" || at.kind === "assign" ? (at.name === "=" ? part(at, "target")?.name : at.name) : null;
    if (name && at.role !== "target") return usesBefore(program, before, name, at, act);
  }
  return false;
}

function usesBefore(
  program: Program,
  before: readonly CodeNode[],
  name: string,
  declared: CodeNode,
  act: CodeNode,
): boolean {
  const binding = resolve(program, name, declared);
  const uses = before.filter(
    (node) =>
      node.kind === "name" &&
      node.name === name &&
      node.start > declared.end &&
      resolve(program, name, node) === binding,
  );
  return uses.some((use) => isInCondition(use) || argumentsOf(act).some(({ value }) => isWithin(use, value)));
}

function isInCondition(node: CodeNode): boolean {
  for (let at: CodeNode | null = node; at !== null && at.kind !== "block"; at = at.parent)
    if (at.role === "condition") return true;
  return false;
}

const chainNodesMax = 100;

/** Returns whether a frame runs within something that runs one call at a time. */
function isExclusive(codebase: Codebase, { place }: LocatedFrame): boolean {
  const program = place && codebase.of(place.source);
  if (!place || !program || program.isInstalled) return false;
  for (let at: CodeNode | null = nodeOnLine(program, place); at !== null; at = at.parent) {
    const { parent, role } = at;
    if (role === "argument" && parent?.kind === "call") {
      const callee = part(parent, "callee");
      if (callee && at.kind === "function" && isAbout(exclusive, walk(callee, chainNodesMax))) return true;
    }
    if (partsOf(at, "context").some((one) => isAbout(exclusive, walk(one, chainNodesMax)))) return true;
  }
  return false;
}
