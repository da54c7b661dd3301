import type { Codebase } from "./codebase.ts";
import { argumentsOf, lastName, plain, receiverOf } from "./expressions.ts";
import { classAround, classNameOf, type FoundFunction, ownName } from "./functions.ts";
import { type CodeNode, is, isWithin, part } from "./ir.ts";
import { anyKey, type Program, parametersOf } from "./program.ts";

/** An expression for an object, and the path that is read from it. */
export interface Handed {
  readonly program: Program;
  readonly node: CodeNode;
  readonly path: readonly string[];
}

/** If there are more calls or writes than this, none is more likely than the others. */
const handedMax = 4;
/** Maximum number of calls of one name in one file that are compared. */
const namesakesMax = 60;

/**
 * Returns what a parameter is passed, as far as the name of its function shows: by the call that contains the function,
 * by `new Class(…)` for a constructor, or by calls of a name that no other function has.
 */
export function givenFor(codebase: Codebase, program: Program, parameter: CodeNode): Handed[] {
  const owner = parameter.parent;
  if (owner?.kind !== "function") return [];
  const element = elementFor(program, owner, parameter);
  if (element) return [element];
  const shift = program.dialect.hasSelfParameter && classAround(owner) ? 1 : 0;
  const position = parametersOf(owner).indexOf(parameter) - shift;
  if (position < 0) return [];
  return callsByName(codebase, program, owner).flatMap(({ program: where, node: call }) => {
    const given = argumentsOf(call);
    const node = given.find(({ name }) => name !== null && name === parameter.name) ?? given[position];
    return node ? [{ program: where, node: node.value, path: [] }] : [];
  });
}

/** `list.map((element) => …)`, `list.reduce((sum, element) => …)`. */
function elementFor(program: Program, owner: CodeNode, parameter: CodeNode): Handed | null {
  const call = owner.role === "argument" && owner.parent?.kind === "call" ? owner.parent : null;
  const list = call && receiverOf(call);
  if (!call || !list || !program.dialect.calls.each.has(call.name ?? "") || call.name === "then") return null;
  const position = reducing.test(call.name ?? "") ? 1 : 0;
  return parametersOf(owner)[position] === parameter ? { program, node: list, path: [anyKey] } : null;
}

/** Calls that pass their function its previous result, followed by the next element. */
export const reducing = /^(?:reduce|reduceRight|inject)$/;

function callsByName(codebase: Codebase, program: Program, owner: CodeNode): FoundFunction[] {
  if (owner.role === "callee" && owner.parent?.kind === "call") return [{ program, node: owner.parent }];
  const own = ownName(owner);
  const isConstructor = own !== null && program.dialect.constructors.has(own);
  const name = isConstructor ? classNameOf(owner) : own;
  if (name === null || (!isConstructor && codebase.functionsNamed(name).length > 1)) return [];
  const found: FoundFunction[] = [];
  for (const other of codebase.all()) {
    if (other.dialect !== program.dialect) continue;
    for (const call of (other.calls.get(name) ?? []).slice(0, namesakesMax)) {
      if (isConstructor && program.dialect.construction === "new-operator" && !is(call, "new")) continue;
      if (!isWithin(call, owner)) found.push({ program: other, node: call });
      if (found.length > handedMax) return [];
    }
  }
  return found;
}

/** Returns the writes to a field of the objects of a class; empty if there are too many to choose from. */
export function writtenToField(program: Program, owner: CodeNode, field: string): Handed[] {
  const written = (program.fieldWrites.get(field) ?? []).filter(
    ({ node, on, value }) => value !== null && isWithin(node, owner) && (on === null || isSelf(program, on)),
  );
  return written.length > handedMax
    ? []
    : written.flatMap(({ value, path }) => (value ? [{ program, node: value, path }] : []));
}

/** Returns what is added to a list or map that is a field of the objects of a class. */
export function addedToField(program: Program, owner: CodeNode, field: string): Handed[] {
  const { putting, adding } = program.dialect.calls;
  const added = [...putting, ...adding]
    .flatMap((name) => (program.calls.get(name) ?? []).slice(0, namesakesMax))
    .filter((call) => {
      const list = receiverOf(call);
      const on = list && receiverOf(list);
      return list !== null && lastName(list) === field && on !== null && isSelf(program, on) && isWithin(call, owner);
    });
  const written = (program.entries.get(`${field}[]`) ?? []).filter(({ node }) => isWithin(node, owner));
  const values = [
    ...added.map((call) => argumentsOf(call).at(-1)?.value ?? null),
    ...written.map(({ value }) => value),
  ];
  return values.slice(0, handedMax).flatMap((node) => (node ? [{ program, node, path: [] }] : []));
}

function isSelf(program: Program, on: CodeNode): boolean {
  const node = plain(on);
  return node.kind === "self" || isReceiver(program, node);
}

/** Returns whether a node is the receiver of a Go method, or the first parameter of a Python method. */
export function isReceiver(program: Program, on: CodeNode): boolean {
  const name = on.kind === "name" ? on.name : null;
  if (name === null || !on.owner) return false;
  for (let owner: CodeNode | null = on.owner; owner !== null; owner = owner.owner) {
    if (part(owner, "receiver")?.name === name) return true;
    if (program.dialect.hasSelfParameter && classAround(owner) && parametersOf(owner)[0]?.name === name) return true;
  }
  return false;
}
