import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException } from "../../findings/parsed-error.ts";
import type { CodeSignalArgs } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import {
  argumentsOf,
  isLiteral,
  isNothing,
  keyText,
  operandsOf,
  pathOf,
  plain,
  receiverOf,
  textOf,
} from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import { nodesAtFrame, positionOf } from "../frames/stack-calls.ts";
import { isMade } from "./made-values.ts";
import type { Said } from "./trail.ts";
import { unmatchedBy } from "./unmatched-text.ts";
import { anything, falsy, nothing, type Wanted } from "./wanted.ts";

/** A value used by a failing expression, to follow. */
export interface UsedValue {
  readonly node: CodeNode;
  readonly wanted: Wanted;
  /** The path read from it, outermost first. */
  readonly path?: readonly string[];
}

/** What failed at the place where an error was thrown, and the values that it used. */
export interface FailedUse {
  readonly said: Said;
  readonly values: readonly UsedValue[];
}

/** The position of a frame in the code. */
export interface Site {
  readonly codebase: Codebase;
  readonly program: Program;
  readonly located: LocatedFrame;
  readonly error: ParsedException;
  /** The nodes that overlap the line, the outermost first. */
  readonly nodes: readonly CodeNode[];
  /** The position of the column in the text. */
  readonly position: number | null;
}

/** A message of a runtime, and the expression of the line that it refers to. */
export interface RuntimeMessage {
  /** Matches the type and the message, joined with `: `. */
  readonly pattern: RegExp;
  readonly find: (site: Site, match: RegExpExecArray) => FailedUse | null;
}

/** How many values of one expression are followed. */
export const operandsMax = 6;

export function siteOf(codebase: Codebase, located: LocatedFrame, error: ParsedException): Site | null {
  const program = located.place && codebase.of(located.place.source);
  if (!program) return null;
  const nodes = nodesAtFrame(program, located);
  return { codebase, program, located, error, nodes, position: positionOf(located) };
}

type Use = CodeSignalArgs["bad-value"]["use"];

/** A value that was missing or of the wrong type. */
export function badValue(
  { codebase, program }: Site,
  node: CodeNode,
  was: string,
  use: Use,
  member: string | null,
  values: readonly UsedValue[],
): FailedUse {
  const path = pathOf(node);
  const unmatched = unmatchedBy(codebase, program, node);
  return {
    said: {
      kind: "bad-value",
      args: {
        expression: textOf(node, program.source),
        ...(path && { path }),
        ...(unmatched && { unmatched }),
        was,
        use,
        member,
      },
    },
    values,
  };
}

/** Returns the node that is reported on this line: at the column, after it, or anywhere. */
export function nearest(site: Site, nodes: readonly CodeNode[]): CodeNode | null {
  const { located, position } = site;
  const { source, line = 0 } = located.place ?? {};
  const here = nodes.filter((node) => source?.lineAt(node.at) === line);
  const pool = here.length > 0 ? here : nodes;
  const exact = position === null ? undefined : pool.find(({ at }) => at === position);
  return exact ?? pool.find(({ at }) => position !== null && at >= position) ?? pool[0] ?? null;
}

/** Finds `value.name` where the value has no such member, and returns what precedes the name. */
export function readOf(site: Site, name: string, was: string, wanted: Wanted, use: Use = "read"): FailedUse | null {
  const members = site.nodes.filter(({ kind }) => kind === "member");
  const elements = site.nodes.filter(({ kind }) => kind === "index");
  const node =
    elements.find((one) => isBracketAt(one, site.position)) ??
    nearest(
      site,
      members.filter((one) => one.name === name),
    ) ??
    nearest(site, elements);
  const on = node && part(node, "on");
  if (on) return badValue(site, on, was, use, name, [{ node: on, wanted }]);
  return takenApart(site, name, was, wanted);
}

/** Returns whether a position is that of the bracket of `value[key]`, where the key may have any name. */
function isBracketAt(element: CodeNode, position: number | null): boolean {
  const [on, key] = [part(element, "on"), part(element, "key")];
  return position !== null && on !== null && key !== null && on.end <= position && position < key.start;
}

/** Finds `const { name } = value`, and destructured parameters. */
export function takenApart(site: Site, name: string | null, was: string, wanted: Wanted): FailedUse | null {
  const owner = site.nodes.find((one) => {
    const target = part(one, "target");
    return (
      target !== null &&
      (target.kind === "object" || target.kind === "list") &&
      (name === null || target.children.some((entry) => entry.name === name))
    );
  });
  if (!owner) return null;
  const isParameter = owner.kind === "parameter";
  const value = isParameter ? owner : (part(owner, "value") ?? part(owner, "over"));
  const shown = isParameter ? part(owner, "target") : value;
  return value && shown ? badValue(site, shown, was, "read", name, [{ node: value, wanted }]) : null;
}

/** Finds `value[…]` where the value has no elements. */
export function elementOf(site: Site, was: string, wanted: Wanted, use: Use = "element"): FailedUse | null {
  const node = nearest(
    site,
    site.nodes.filter(({ kind }) => kind === "index"),
  );
  const on = node && part(node, "on");
  return on ? badValue(site, on, was, use, null, [{ node: on, wanted }]) : null;
}

/** Returns what code does with an element: it writes to one that is assigned to. */
export function elementUse(node: CodeNode | null | undefined): Use {
  return node?.role === "target" ? "write" : "element";
}

/** Finds `container["key"]` where the key is missing, and returns the container and the key. */
export function keyOf(site: Site, key: string): FailedUse | null {
  const reads = site.nodes.flatMap((node) => keyRead(site.program, node) ?? []);
  const found =
    reads.find((one) => keyText(one.key) === key || one.key.name === key) ??
    reads.find((one) => !isLiteral(one.key)) ??
    reads[0];
  if (!found) return null;
  const computed = isLiteral(found.key) ? [] : [{ node: found.key, wanted: anything }];
  return badValue(site, found.on, key, "element", key, [{ node: found.on, wanted: nothing, path: [key] }, ...computed]);
}

/** Returns what is read under which key: `on[key]`, `on.fetch(key)`, `on.get(key)`. */
export function keyRead(
  { dialect }: Program,
  node: CodeNode,
): { on: CodeNode; key: CodeNode; fallback: CodeNode | null } | null {
  if (node.kind === "index") {
    const [on, key] = [part(node, "on"), part(node, "key")];
    return on && key ? { on, key, fallback: null } : null;
  }
  const on = node.kind === "call" ? receiverOf(node) : null;
  const name = node.name ?? "";
  if (!on || !dialect.calls.lookups.has(name) || name.startsWith("find")) return null;
  const [key, second] = argumentsOf(node);
  // In `requests.get(url, timeout=2)` the named argument isn't a default.
  const fallback = second?.name === null || second?.name === "default" ? second.value : null;
  return key && key.value.kind !== "function" ? { on, key: key.value, fallback } : null;
}

/** Finds the first argument of one of some calls, or their receiver. */
export function argumentOf(site: Site, names: RegExp, was: string, wanted: Wanted): FailedUse | null {
  const call = site.nodes.find((one) => one.kind === "call" && names.test(one.name ?? ""));
  const given = call ? (argumentsOf(call)[0]?.value ?? receiverOf(call)) : null;
  return call && given ? badValue(site, given, was, "argument", call.name, [{ node: given, wanted }]) : null;
}

/** Finds an expression that the message contains, by its last word when it is printed in shortened form. */
export function written(site: Site, text: string): CodeNode | null {
  const bare = text.replace(/^\(intermediate value\)\.?/, "").replace(/\(\.\.\.\)/g, "");
  if (bare.endsWith("]")) return element(site, bare);
  const last = /[\w$#]+$/.exec(bare)?.[0];
  if (last === undefined) return null;
  const named = site.nodes.filter((one) => ["name", "member", "parameter"].includes(one.kind) && one.name === last);
  return nearest(site, named);
}

/** Finds `value[key]`, by its text or as the only one that is computed. */
function element({ program, nodes }: Site, text: string): CodeNode | null {
  const all = nodes.filter(({ kind }) => kind === "index");
  const [only, ...others] = all;
  const spelled = all.find((one) => textOf(one, program.source) === text);
  return spelled ?? (others.length === 0 ? (only ?? null) : null);
}

/** Finds a name as the message spells it. */
export function named(site: Site, text: string, was: string, use: Use, wanted: Wanted | null): FailedUse | null {
  const node = written(site, text);
  return node ? badValue(site, node, was, use, null, wanted ? [{ node, wanted }] : []) : null;
}

/** Finds what a loop iterates over, or what is spread or destructured. */
export function iterated(site: Site, was: string, wanted: Wanted): FailedUse | null {
  const loop = site.nodes.find(({ kind }) => kind === "loop");
  const over = loop && part(loop, "over");
  const spread = site.nodes.find(({ kind }) => kind === "spread");
  const value = over ?? (spread && part(spread, "value"));
  return value
    ? badValue(site, value, was, "iterate", null, [{ node: value, wanted }])
    : takenApart(site, null, was, wanted);
}

/** Returns whatever the line reads a member of, because the message doesn't say which. */
export function anyReceiver(site: Site, was: string): FailedUse | null {
  const on = site.nodes
    .filter(({ kind, name }) => kind === "member" || kind === "index" || (kind === "unary" && name === "*"))
    .flatMap((one) => part(one, "on") ?? part(one, "operand") ?? [])
    .filter(
      (one) =>
        !isModule(site.program, one) &&
        one.kind !== "self" &&
        !isMade(site.program, one) &&
        !(site.program.dialect.capitalsAreClasses && /^[A-Z]/.test(one.name ?? "")),
    );
  const texts = on.map((one) => textOf(one, site.program.source));
  const distinct = on.filter((_, index) => texts.indexOf(texts[index] ?? "") === index).slice(0, operandsMax);
  const [first, ...others] = distinct;
  if (!first) return null;
  const values = distinct.map((node) => ({ node, wanted: nothing }));
  const { said } = badValue(site, first, was, "read", null, []);
  return {
    said:
      said.kind === "bad-value" && others.length > 0
        ? { ...said, args: { ...said.args, others: [...new Set(texts)].slice(1, operandsMax) } }
        : said,
    values,
  };
}

/** Returns whether a node is a module, like `fs` in `fs.readFile()`: a module isn't what is wrong. */
export function isModule(program: Program, node: CodeNode): boolean {
  if (node.kind !== "name" || node.name === null) return false;
  const binding = resolve(program, node.name, node);
  if (!binding) return program.dialect.undeclared === "global";
  const imported = importedBy(binding);
  return imported !== null && imported.path.length === 0;
}

/** Returns the raise at a frame: `throw …`, `raise …`, `reject(new E(…))`; null when the runtime raised. */
export function raiseAt(site: Site): CodeNode | null {
  const { program, located, position } = site;
  const line = located.place?.line ?? 0;
  const { source } = program;
  const isOnLine = (node: CodeNode): boolean => source.lineAt(node.start) <= line && line <= source.lineAt(node.end);
  const covering = program.raises.filter((node) =>
    position === null ? isOnLine(node) : node.start <= position && position < node.end,
  );
  // The innermost one that isn't a function's whole body.
  const inner = covering.toSorted((left, right) => left.end - left.start - (right.end - right.start))[0];
  if (!inner) return null;
  if (position === null) return inner;
  const isFar = site.nodes.some(
    (one) => one.kind === "function" && one.start > inner.start && one.start <= position && position < one.end,
  );
  return isFar ? null : inner;
}

/** Returns what an error that the code raises itself depends on: the condition, or else the values in its message. */
export function raisedBy(program: Program, raise: CodeNode): FailedUse & { readonly isGuarded: boolean } {
  const guard = guardOf(raise);
  const guarding = guard ? valuesUnder(guard.condition, guard.isTrue) : triedBefore(raise);
  const shown = raise.children
    .flatMap((one) => operandsOf(one))
    .filter((one) => one.kind !== "call" || !program.dialect.errorMaking.test(one.name ?? ""));
  const all = guarding.length > 0 ? guarding : shown.map((node) => ({ node, wanted: anything }));
  const texts = all.map(({ node }) => textOf(node, program.source));
  const values = all.filter((_, index) => texts.indexOf(texts[index] ?? "") === index).slice(0, operandsMax);
  const args = { condition: guard ? textOf(guard.condition, program.source) : null, isTrue: guard?.isTrue ?? true };
  return { said: { kind: "deliberate-throw", args }, values, isGuarded: guarding.length > 0 };
}

interface Guard {
  readonly condition: CodeNode;
  /** Whether it must be true to reach the throw. */
  readonly isTrue: boolean;
}

/** Returns the condition under which a statement runs, within its function. */
function guardOf(statement: CodeNode): Guard | null {
  for (let node = statement; node.parent !== null && node.kind !== "function"; node = node.parent) {
    const { parent } = node;
    const condition = part(parent, "condition");
    if ((parent.kind === "if" || parent.kind === "choice") && condition && node.role !== "condition")
      return { condition, isTrue: node.role !== "otherwise" };
    const isShortcut =
      parent.kind === "binary" && node.role === "right" && ["&&", "||", "??", "and", "or"].includes(parent.name ?? "");
    const left = isShortcut ? part(parent, "left") : null;
    if (left) return { condition: left, isTrue: parent.name === "&&" || parent.name === "and" };
    if (parent.kind === "block" || parent.kind === "module") {
      const before = earlierExit(parent, node);
      if (before) return { condition: before, isTrue: false };
    }
  }
  return null;
}

/** Returns the condition in `if (ok) return; throw …`, which must be false to reach the throw. */
function earlierExit(block: CodeNode, statement: CodeNode): CodeNode | null {
  const before = block.children[block.children.indexOf(statement) - 1];
  if (before?.kind !== "if" || part(before, "otherwise")) return null;
  const then = part(before, "then");
  const last = then?.kind === "block" ? then.children.at(-1) : then;
  return last?.kind === "return" || last?.kind === "leave" ? part(before, "condition") : null;
}

/** Returns what was tried before `catch (error) { throw … }`. */
function triedBefore(raise: CodeNode): UsedValue[] {
  for (let node: CodeNode | null = raise; node !== null && node.kind !== "function"; node = node.parent) {
    const body = node.kind === "catch" && node.parent ? part(node.parent, "body") : null;
    if (!body) continue;
    const calls = body.children
      .flatMap((one) => operandsOf(part(one, "value") ?? one))
      .filter(({ kind }) => kind === "call");
    return calls.slice(0, 2).map((one) => ({ node: one, wanted: anything }));
  }
  return [];
}

const depthMax = 6;

/** Returns the operands of a condition, each with what it was when the condition did or didn't hold. */
function valuesUnder(condition: CodeNode, isTrue: boolean, depth = depthMax): UsedValue[] {
  const node = plain(condition);
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (depth === 0) return [];
  if (node.kind === "unary" && (node.name === "!" || node.name === "not")) {
    const operand = part(node, "operand");
    return operand ? valuesUnder(operand, !isTrue, depth - 1) : [];
  }
  if (node.kind === "binary" && left && right) {
    if (["&&", "||", "and", "or", "??"].includes(node.name ?? ""))
      return [left, right].flatMap((one) => valuesUnder(one, isTrue, depth - 1));
    const isEqual = /^(?:===?|is|eql\?)$/.test(node.name ?? "");
    const isUnequal = /^(?:!==?|is not)$/.test(node.name ?? "");
    const isWithNothing = isNothing(right) || right.name === "undefined";
    if (isWithNothing && (isEqual || isUnequal)) {
      const of = plain(left).kind === "unary" ? (part(plain(left), "operand") ?? left) : left;
      return operandsOf(of).map((one) => ({ node: one, wanted: isEqual === isTrue ? nothing : anything }));
    }
  }
  const isWhole = node.kind === "name" || node.kind === "member" || node.kind === "index";
  return operandsOf(node).map((one) => ({ node: one, wanted: isWhole && !isTrue ? falsy : anything }));
}
