import type { Dialect } from "../dialects/dialect.ts";
import type { Codebase } from "./codebase.ts";
import { argumentsOf, heldBy, keyText, plain, receiverOf } from "./expressions.ts";
import { type CodeNode, is, part, partsOf } from "./ir.ts";
import { type Program, put } from "./program.ts";

/** Returns what a class that only holds values declares them as, in the order in which they are passed. */
export function fieldsOf(owner: CodeNode): CodeNode[] {
  const declared = owner.children.filter(({ kind }) => kind === "parameter");
  if (declared.length > 0) return declared;
  return declarationsIn(part(owner, "body")?.children ?? []).filter((one) => !is(one, "static"));
}

function declarationsIn(nodes: readonly CodeNode[]): CodeNode[] {
  return nodes.flatMap((one) => {
    if (one.kind === "declare" || one.kind === "assign") return [one];
    return one.kind === "sequence" || one.kind === "other" ? declarationsIn(one.children) : [];
  });
}

/** Returns the names of the fields of the objects that a class holds values in, in the order in which they are passed. */
export function fieldNamesOf(owner: CodeNode): (string | null)[] {
  return fieldsOf(owner).map((one) => part(one, "target")?.name ?? one.name);
}

/** Returns the element of `Type{a, b}` that is the field of a name; null if the type doesn't show which. */
export function elementOfField(
  codebase: Codebase,
  { dialect }: Program,
  list: CodeNode,
  name: string,
): CodeNode | null {
  if (list.type === null) return null;
  const values = partsOf(list, "value");
  const declared = recordsOf(codebase, dialect).declared.get(list.type) ?? [];
  const fields = declared.map(fieldNamesOf).find((one) => one.length === values.length && one.includes(name));
  return fields ? (values[fields.indexOf(name)] ?? null) : null;
}

/** Returns the argument of a call of a class made of names that is the field of a name; null where it isn't one. */
export function argumentOfField(
  codebase: Codebase,
  { dialect }: Program,
  call: CodeNode,
  name: string,
): CodeNode | null {
  const callee = dialect.construction === "new-method" && call.name === "new" ? receiverOf(call) : part(call, "callee");
  const made = callee?.kind === "name" ? (recordsOf(codebase, dialect).made.get(callee.name ?? "") ?? []) : [];
  const position = made.find((names) => names.includes(name))?.indexOf(name) ?? -1;
  if (position < 0) return null;
  const given = argumentsOf(call);
  const named = given.find((one) => one.name === name);
  return (named ?? given.filter((one) => one.name === null)[position])?.value ?? null;
}

/** Returns whether a class in the code has a field of a name, in a language that reads fields by calls. */
export function isNameOfField(codebase: Codebase, { dialect }: Program, name: string): boolean {
  return recordsOf(codebase, dialect).names.has(name);
}

/** The classes of one language. */
interface Records {
  readonly declared: ReadonlyMap<string, readonly CodeNode[]>;
  /** The fields of the classes that a call makes of their names, in the order in which they are passed. */
  readonly made: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** The names of all fields. */
  readonly names: ReadonlySet<string>;
}

const known = new WeakMap<Codebase, Map<Dialect, Records>>();

function recordsOf(codebase: Codebase, dialect: Dialect): Records {
  const ofCodebase = known.get(codebase) ?? new Map<Dialect, Records>();
  known.set(codebase, ofCodebase);
  const records = ofCodebase.get(dialect) ?? findRecords(codebase.all().filter((one) => one.dialect === dialect));
  ofCodebase.set(dialect, records);
  return records;
}

function findRecords(programs: readonly Program[]): Records {
  const declared = new Map<string, CodeNode[]>();
  const made = new Map<string, string[][]>();
  const names = new Set<string>();
  for (const { classes, calls, fieldWrites } of programs) {
    for (const name of fieldWrites.keys()) names.add(name);
    for (const owner of classes) {
      if (owner.name !== null) put(declared, owner.name, owner);
      for (const { kind, name } of owner.children) if (kind === "parameter" && name !== null) names.add(name);
    }
    for (const call of making.flatMap((one) => calls.get(one) ?? [])) {
      const fields = namesGiven(call);
      const name = call.role === "base" ? call.parent?.name : heldBy(call);
      if (name && fields.length > 0) put(made, name, fields);
      for (const field of fields) names.add(field);
    }
  }
  return { declared, made, names };
}

/** Calls that make a class of the names of its fields: `Struct.new(:a, :b)`, `namedtuple("Row", "a b")`. */
const makers = /^(?:Struct\.new|Data\.define|(?:collections\.)?namedtuple)$/;
const making = ["new", "define", "namedtuple"];

function namesGiven(call: CodeNode): string[] {
  const on = receiverOf(call);
  if (!makers.test([on?.name, call.name].filter((one) => typeof one === "string").join("."))) return [];
  // The first one is the name of the class.
  const given = call.name === "namedtuple" ? argumentsOf(call).slice(1, 2) : argumentsOf(call);
  return given.flatMap(({ name, value }) => (name === null ? namesIn(value) : []));
}

function namesIn(given: CodeNode): string[] {
  const node = plain(given);
  if (node.kind === "list") return partsOf(node, "value").flatMap((one) => keyText(one) ?? []);
  return (keyText(node) ?? "").split(/[\s,]+/).filter((one) => one !== "");
}
