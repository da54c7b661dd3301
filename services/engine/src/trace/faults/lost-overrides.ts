import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { argumentsOf, lastName, plain, receiverOf, textOf } from "../code/expressions.ts";
import { ownName } from "../code/functions.ts";
import { around, type CodeNode, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { type OwnNode, ownNodes } from "./own-nodes.ts";
import { missingKey } from "./removed-keys.ts";
import { unfrozen } from "./shared-values.ts";
import { tiesToTrail } from "./ties-to-trail.ts";

const foundMax = 3;
/** Maximum merges that are looked at. */
const mergesMax = 300;
/** Names of values that others should override. */
const defaultName =
  /^(?:\w{0,40}defaults?|defaults?[A-Z_]\w{0,40}|\w{0,40}fallbacks?|(?:\w{1,40}_)?base|initial\w{0,40})$/i;
const overriding = /overrid|custom|user|own|forced|fixed|required|mandatory/i;
/** What gives up what was set, on purpose. */
const resetting = /reset|clear|restor|revert|initiali[sz]|log_?out|wipe|undo/i;
const resetName = /^initial/i;
const stateName = /state$|^prev|^current$|^store$|^get$/i;
/** What `|` joins besides dictionaries. */
const joined = /flag|mask|bits?$|perm|set$|names$|ids$|keys$|types$|tags$|scopes$/i;
/** Calls that merge objects into their first argument, and into a copy of their receiver. */
const intoFirst: ReadonlySet<string> = new Set(["assign", "extend", "merge"]);
const ofReceiver: ReadonlySet<string> = new Set(["merge", "merge!", "update", "putAll", "deep_merge"]);

/** Objects that are merged; the last one wins. */
interface Merge extends OwnNode {
  readonly operands: readonly CodeNode[];
}

/**
 * Notes merges that the failing value comes from, if the defaults come last, or if a nested object replaces its default
 * whole, and the key that the failing code misses with it.
 */
export function findLostOverrides({ codebase }: Failure, trail: Trail): void {
  const isTied = tiesToTrail(trail);
  const missing = trail.first?.kind === "bad-value" ? missingKey(trail.first) : null;
  let found = 0;
  let merges = 0;
  for (const { program, node } of ownNodes(codebase)) {
    const merge = mergeAt(program, node);
    if (!merge) continue;
    if (merges++ >= mergesMax || found >= foundMax) return;
    const last = isReset(merge) ? null : defaultsLast(codebase, merge);
    const lost = last ?? (missing === null ? null : replacedWhole(codebase, merge, missing));
    if (!lost || !isTied(program, node)) continue;
    const { defaults, given, key } = lost;
    const args = {
      code: textOf(node, program.source),
      defaults: textOf(defaults, program.source),
      given: textOf(given, program.source),
      key,
      lost: key === null ? null : missing,
    };
    trail.add({ kind: "lost-override", args }, placeAt(program, node), null);
    found++;
  }
}

function mergeAt(program: Program, node: CodeNode): Merge | null {
  const operands = operandsOf(program, node);
  return operands.length > 1 ? { program, node, operands } : null;
}

function operandsOf(program: Program, node: CodeNode): CodeNode[] {
  if (node.kind === "object") {
    const spread = node.children.filter(({ kind }) => kind === "spread");
    return spread.length > 1 && spread.at(-1) === node.children.at(-1) ? spread.map(plain) : [];
  }
  if (node.kind === "binary" && node.name === "|" && program.dialect.hasSelfParameter)
    return [part(node, "left"), part(node, "right")].flatMap((one) => (one ? [plain(one)] : []));
  if (node.kind !== "call") return [];
  const given = argumentsOf(node);
  const values = given.map(({ value }) => plain(value));
  if (given.some(({ name, value }) => name !== null || value.kind === "function")) return [];
  const on = receiverOf(node);
  const isOfModule = on !== null && /^(?:Object|_|lodash|\$|jQuery|maps)$/.test(on.name ?? "");
  if (isOfModule)
    return intoFirst.has(node.name ?? "")
      ? values.filter(({ children, kind }) => kind !== "object" || children.length > 0)
      : [];
  return on && ofReceiver.has(node.name ?? "") && values.length === 1 ? [plain(on), ...values] : [];
}

interface Lost {
  readonly defaults: CodeNode;
  readonly given: CodeNode;
  readonly key: string | null;
}

/** Returns whether a function gives up what was set, as its name or those of the values say. */
function isReset({ node, operands }: Merge): boolean {
  const owner = around(node, "function");
  const names = operands.map((one) => lastName(one) ?? "");
  return (
    (owner !== null && resetting.test(ownName(owner) ?? "")) ||
    (resetName.test(names.at(-1) ?? "") && names.some((name) => stateName.test(name)))
  );
}

function defaultsLast(codebase: Codebase, { program, node, operands }: Merge): Lost | null {
  if (node.name === "|" && operands.some((one) => isOther(codebase, program, one))) return null;
  const last = operands.at(-1);
  const given = operands.findLast((one) => one !== last && !isDefault(one));
  return last && given && isDefault(last) && isRead(given) && !operands.slice(0, -1).some(isDefault)
    ? { defaults: last, given, key: null }
    : null;
}

/** Returns whether a value isn't a dictionary, as far as its definition or its name shows. */
function isOther(codebase: Codebase, program: Program, operand: CodeNode): boolean {
  const isList = valuesOf(codebase, program, operand).some(({ kind }) => kind === "list" || kind === "number");
  return isList || joined.test(lastName(operand) ?? "");
}

function isDefault(operand: CodeNode): boolean {
  const name = lastName(operand) ?? "";
  return isRead(operand) && defaultName.test(name) && !overriding.test(name);
}

function isRead({ kind }: CodeNode): boolean {
  return kind === "name" || kind === "member" || kind === "call";
}

/** Finds an object in the defaults that has the missing key, and that a later operand may replace. */
function replacedWhole(codebase: Codebase, { program, operands }: Merge, missing: string): Lost | null {
  const last = operands.at(-1);
  if (!last || !isRead(last)) return null;
  for (const operand of operands.slice(0, -1)) {
    for (const literal of valuesOf(codebase, program, operand).filter(({ kind }) => kind === "object")) {
      const nested = literal.children.find((entry) => {
        const value = entry.kind === "entry" ? part(entry, "value") : null;
        return (
          value !== null && unfrozen(value).children.some(({ kind, name }) => kind === "entry" && name === missing)
        );
      });
      if (nested?.name) return { defaults: operand, given: last, key: nested.name };
    }
  }
  return null;
}

function valuesOf(codebase: Codebase, program: Program, operand: CodeNode): CodeNode[] {
  const binding = operand.kind === "name" ? resolve(program, operand.name ?? "", operand) : null;
  const written = (binding?.writes ?? []).flatMap(({ value, path }) => (value && path.length === 0 ? [value] : []));
  const defined = definitionsOf(codebase, program, operand).map(({ node }) => node);
  return [operand, ...written, ...defined].map(unfrozen);
}
