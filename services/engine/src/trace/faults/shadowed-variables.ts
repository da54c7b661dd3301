import { isAbsent } from "../../signals/code/bad-value.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import { wordsOfName } from "../../words/name-words.ts";
import { plain } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, isWithin, walk } from "../code/ir.ts";
import type { Program, Write } from "../code/program.ts";
import { type Binding, resolve, writesReaching } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { tiesToTrail } from "./ties-to-trail.ts";

/** How many writes to names are looked at in a file: with more, it is generated. */
const writesMax = 2_000;
const hiddenMax = 20;
/** A name of fewer words is in any message by chance. */
const namedWordsMin = 2;

/** A variable that a block declares, and a read of the one that it hides. */
interface Shadowed {
  readonly program: Program;
  readonly name: string;
  readonly node: CodeNode;
  readonly read: CodeNode;
}

/**
 * Notes where a block declares a variable of the same name as one outside that is still unset when it is read after the
 * block, if a value is missing that comes from there or has its name.
 */
export function findShadowedVariables({ codebase, said }: Failure, trail: Trail): void {
  const signals = trail.signals();
  if (!signals.some(saysMissing)) return;
  const isTied = tiesToTrail(trail);
  const isNamed = namedBy(said, signals);
  for (const one of codebase.own().flatMap(shadowedIn)) {
    const { program, name, node, read } = one;
    if (!isTied(program, read) && !isNamed(name)) continue;
    trail.add({ kind: "shadowed-variable", args: { variable: name } }, placeAt(program, node), null);
  }
}

/** Returns whether the error is about a value that isn't there, or may be. */
function saysMissing({ kind, args }: AnyCodeSignal): boolean {
  return (kind === "bad-value" && isAbsent(args)) || kind === "deliberate-throw" || kind === "throw-site";
}

/** Returns a test of whether the error, or a step of the failing value, has the name of a variable, as it spells names. */
function namedBy(said: string, signals: readonly AnyCodeSignal[]): (name: string) => boolean {
  const codes = signals.flatMap(({ kind, args }) => {
    if (kind === "bad-value") return args.path ?? [args.expression];
    return kind === "value-step" ? (args.path ?? []) : kind === "deliberate-throw" ? (args.condition ?? []) : [];
  });
  const texts = [said, ...codes].map((text) => ` ${wordsOfName(text).join(" ")} `);
  return (name) => {
    const words = wordsOfName(name);
    return words.length >= namedWordsMin && texts.some((text) => text.includes(` ${words.join(" ")} `));
  };
}

function shadowedIn(program: Program): Shadowed[] {
  if (program.dialect.scopes !== "block") return [];
  const hidden = program.nameWrites.slice(0, writesMax).flatMap(({ node, name, value }) => {
    const block = node.kind === "declare" ? blockOf(node) : null;
    const inner = block && resolve(program, name, node);
    const outer = block && resolve(program, name, block.parent ?? program.tree);
    const isHidden = block && value && inner && outer && inner !== outer && isUnsetBefore(outer, block);
    return isHidden ? [{ node, name, block, outer }] : [];
  });
  return hidden.slice(0, hiddenMax).flatMap(({ node, name, block, outer }): Shadowed[] => {
    const read = firstReadAfter(program, outer, block);
    return read && isStillUnset(outer, read) ? [{ program, name, node, read }] : [];
  });
}

/** Returns the block of an `if`, a loop, or a `try` in which a name is declared; null where the function ends there. */
function blockOf(node: CodeNode): CodeNode | null {
  let at = node.parent;
  while (at?.kind === "sequence") at = at.parent;
  if (at?.kind !== "block" || !at.parent || at.parent.kind === "function" || at.owner === null) return null;
  const last = at.children.at(-1);
  return last?.kind === "return" || last?.kind === "throw" || last?.kind === "leave" ? null : at;
}

/** Returns whether a variable of the same function is declared without a value before a block. */
function isUnsetBefore({ kind, node, writes }: Binding, block: CodeNode): boolean {
  if (kind !== "variable" || node.kind !== "declare" || node.owner !== block.owner || node.end > block.start)
    return false;
  const first = writes.find((write) => write.node === node);
  return first !== undefined && first.path.length === 0 && isUnset(first);
}

function isUnset({ value }: Write): boolean {
  if (value === null) return true;
  const { kind, name } = plain(value);
  return kind === "nothing" || (kind === "name" && name === "undefined");
}

/** Returns the first read of a variable after a block. */
function firstReadAfter(program: Program, outer: Binding, block: CodeNode): CodeNode | null {
  const scope = block.owner ?? program.tree;
  for (const node of walk(scope, functionNodesMax)) {
    const isRead =
      node.kind === "name" && node.name === outer.name && node.role !== "target" && node.start >= block.end;
    if (isRead && resolve(program, outer.name, node) === outer && !isWritten(node)) return node;
  }
  return null;
}

function isWritten({ parent, role }: CodeNode): boolean {
  return parent?.kind === "assign" && role === "target";
}

/** Returns whether a read may see a variable as it was declared. */
function isStillUnset(outer: Binding, read: CodeNode): boolean {
  const reaching = writesReaching(outer, read);
  const declared = outer.writes.some((write) => write.node === outer.node && write.value === null);
  const isSure = reaching.some(
    (write) => !isUnset(write) && write.node.parent !== null && isWithin(read, write.node.parent),
  );
  return !isSure && (declared || reaching.some(isUnset));
}
