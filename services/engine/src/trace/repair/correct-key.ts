import type { RemedyOf } from "../../signals/code/remedy.ts";
import { argumentsOf, keyText, lastName } from "../code/expressions.ts";
import { classAround, ownName } from "../code/functions.ts";
import type { CodeNode } from "../code/ir.ts";
import { part } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import { givenNames, isGiven, namedIn, namedOn, renamed, type Written } from "./code-names.ts";
import type { Repairing } from "./repair.ts";

/** Shorter names are alike by chance. */
const nameUnitsMin = 4;
/** Letters that a misspelling leaves out or adds. */
const lettersApartMax = 1;

/**
 * Corrects a key that is read at one place only, if nothing in the given code and data sets it and exactly one key that
 * they do set differs from it in case, separators, or a letter more or less.
 */
export const correctKey: Repairing<RemedyOf<"key">> = ({ name }, broken) => {
  const { codebase, program, signal } = broken;
  const given = name.length < nameUnitsMin ? null : givenNames(codebase);
  if (!given || given.has(name)) return null;
  const [similar, other] = [...given].filter((one) => isMisspelt(one, name));
  const [here] = namedOn(program, signal.subject.line, name).filter((one) => !isGiven(one));
  if (!here || similar === undefined || other !== undefined || isOfPackage(here)) return null;
  const reads = codebase.near().flatMap((one) => namedIn(one, name).filter((place) => !isGiven(place)));
  if (reads.length !== 1 || !mayHave(here, similar) || isTranslated(here, similar)) return null;
  return { by: "key", edits: [renamed(here, similar)], subject: similar };
};

/** Returns whether a name is another one without its separators and case, or with letters too many or too few. */
function isMisspelt(one: string, other: string): boolean {
  if (one === other || one.length < nameUnitsMin || isConstant(one) !== isConstant(other)) return false;
  const [left, right] = [plainName(one), plainName(other)];
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return long.length - short.length <= lettersApartMax && isWithin(short, long);
}

/** Constants and environment variables are in capitals; what is set under them may be named alike on purpose. */
function isConstant(name: string): boolean {
  return name === name.toUpperCase();
}

function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/** Returns whether the letters of one name are in the other, in their order. */
function isWithin(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

/** Returns whether the code there translates between the two names, as it does for data of another party. */
function isTranslated({ node }: Written, name: string): boolean {
  if (node.owner && ownName(node.owner) === name) return true;
  for (let at: CodeNode | null = node; at !== null && at.kind !== "block" && at.kind !== "module"; at = at.parent) {
    const given = at.kind === "call" ? argumentsOf(at).map(({ value }) => keyText(value)) : [];
    const kept = [part(at, "target"), at.kind === "entry" ? part(at, "value") : null];
    const names = [at.name, ...given, ...kept.map((one) => one && (writtenKey(one) ?? lastName(one)))];
    if (names.includes(name)) return true;
  }
  return false;
}

/** Returns the key of `row["key"]`. */
function writtenKey(node: CodeNode): string | null {
  const key = node.kind === "index" ? part(node, "key") : null;
  return key && keyText(key);
}

/** Returns whether an object may have a field: its own class sets the field or has the method, where it is of a class here. */
function mayHave({ program, node }: Written, field: string): boolean {
  const on = node.kind === "member" ? part(node, "on") : null;
  if (on?.kind !== "self" && on?.name !== "self") return true;
  const owner = classAround(node);
  const isOwn = (one: CodeNode): boolean => owner !== null && one.start >= owner.start && one.end <= owner.end;
  const writes = program.fieldWrites.get(field) ?? [];
  return writes.some((write) => isOwn(write.node)) || program.functions.some((one) => one.name === field && isOwn(one));
}

/** Returns whether a member is read from a module that wasn't given: its names are unknown. */
function isOfPackage({ program, node }: Written): boolean {
  const on = part(node, "on");
  return node.kind === "member" && on?.kind === "name" && isOutside(program, on);
}

function isOutside(program: Program, on: CodeNode): boolean {
  const binding = resolve(program, on.name ?? "", on);
  const imported = binding && importedBy(binding);
  return imported !== null && !imported.specifier.startsWith(".");
}
