import type { Dialect } from "../dialects/dialect.ts";
import type { Codebase } from "./codebase.ts";
import { argumentsOf, keyText, plain, receiverOf } from "./expressions.ts";
import { type CodeNode, is, part, partsOf } from "./ir.ts";
import type { Program } from "./program.ts";

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
  const named = codebase
    .all()
    .filter((one) => one.dialect === dialect)
    .flatMap(({ classes }) => classes.filter((one) => one.name === list.type));
  const fields = named.map(fieldNamesOf).find((one) => one.length === values.length && one.includes(name));
  return fields ? (values[fields.indexOf(name)] ?? null) : null;
}

/** Calls that make a class of the names of its fields: `Struct.new(:a, :b)`, `namedtuple("Row", "a b")`. */
const makers = /^(?:Struct\.new|Data\.define|(?:collections\.)?namedtuple)$/;
/** How many writes to names are looked at in a file: with more, it is generated. */
const writesMax = 2_000;

/** Returns the argument of a call of a class made of names that is the field of a name; null where it isn't one. */
export function argumentOfField(
  codebase: Codebase,
  { dialect }: Program,
  call: CodeNode,
  name: string,
): CodeNode | null {
  const callee = dialect.construction === "new-method" && call.name === "new" ? receiverOf(call) : part(call, "callee");
  const made = callee && plain(callee);
  if (made?.kind !== "name" || !/^[A-Z]/.test(made.name ?? "")) return null;
  const names = codebase
    .all()
    .filter((one) => one.dialect === dialect)
    .flatMap((one) => [
      ...[...one.nameWrites.slice(0, writesMax), ...(one.fieldWrites.get(made.name ?? "") ?? [])]
        .filter((write) => write.name === made.name)
        .flatMap(({ value }) => namesGiven(value)),
      ...one.classes.filter((node) => node.name === made.name).flatMap((node) => namesGiven(part(node, "base"))),
    ]);
  const position = names.indexOf(name);
  if (position < 0) return null;
  const given = argumentsOf(call);
  return (
    given.find((one) => one.name === name)?.value ?? given.filter((one) => one.name === null)[position]?.value ?? null
  );
}

function namesGiven(value: CodeNode | null): string[] {
  const call = value && plain(value);
  if (call?.kind !== "call") return [];
  const on = receiverOf(call);
  const spelled = [...(on?.name != null ? [on.name] : []), call.name].join(".");
  if (!makers.test(spelled)) return [];
  // The first one is the name of the class.
  const given = call.name === "namedtuple" ? argumentsOf(call).slice(1, 2) : argumentsOf(call);
  return given.flatMap(({ value: one }) => namesIn(one));
}

function namesIn(given: CodeNode): string[] {
  const node = plain(given);
  if (node.kind === "list") return partsOf(node, "value").flatMap((one) => keyText(one) ?? []);
  return (keyText(node) ?? "").split(/[\s,]+/).filter((one) => one !== "");
}

const known = new WeakMap<Codebase, Map<Dialect, ReadonlySet<string>>>();

/** Returns whether a class in the code has a field of a name, in a language that reads fields by calls. */
export function isNameOfField(codebase: Codebase, { dialect }: Program, name: string): boolean {
  const ofCodebase = known.get(codebase) ?? new Map<Dialect, ReadonlySet<string>>();
  known.set(codebase, ofCodebase);
  const names = ofCodebase.get(dialect) ?? namesOfFields(codebase, dialect);
  ofCodebase.set(dialect, names);
  return names.has(name);
}

function namesOfFields(codebase: Codebase, dialect: Dialect): ReadonlySet<string> {
  const programs = codebase.all().filter((one) => one.dialect === dialect);
  return new Set(
    programs.flatMap(({ fieldWrites, classes, calls }) => [
      ...fieldWrites.keys(),
      ...classes.flatMap((owner) =>
        owner.children.flatMap(({ kind, name }) => (kind === "parameter" ? (name ?? []) : [])),
      ),
      ...["new", "define"].flatMap((one) => (calls.get(one) ?? []).flatMap(namesGiven)),
    ]),
  );
}
