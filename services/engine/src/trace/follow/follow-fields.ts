import { classesOf } from "../code/calls.ts";
import { definitionsOf } from "../code/definitions.ts";
import { isLiteral, lastName, plain, receiverOf } from "../code/expressions.ts";
import { classAround, classNameOf, type FoundFunction, ownName } from "../code/functions.ts";
import { isReceiver } from "../code/handed-objects.ts";
import { type CodeNode, is, isWithin, part } from "../code/ir.ts";
import { anyKey, type Program, parametersOf, type Write } from "../code/program.ts";
import { fieldNamesOf } from "../code/record-fields.ts";
import { registrationsOf } from "../code/registrations.ts";
import { closest } from "../code/similar-names.ts";
import { followData } from "./follow-data.ts";
import type { FollowedValue, Following } from "./following.ts";
import { canBe, isMissing } from "./wanted.ts";

const writesMax = 3;
/** If a name has more writes than this, none is more likely than the others. */
const looseMax = 6;

/**
 * Follows a field of the object that a method is called on: its writes in the class, its declaration, its getter.
 * Returns whether any was found.
 */
export function followField(tracer: Following, used: FollowedValue, at: CodeNode, name: string): boolean {
  // Another call than the one on the stack wrote it.
  const followed: FollowedValue = { ...used, frame: null, via: null };
  const { program } = followed;
  const before = tracer.trail.length;
  const owner = classAround(at);
  const className = owner?.name ?? ownerName(at);
  followFieldOf(tracer, followed, { program, node: owner ?? program.tree }, className, name, at);
  if (tracer.trail.length > before) return true;
  for (const base of owner?.children.filter(({ role }) => role === "base") ?? []) {
    for (const found of definitionsOf(tracer.codebase, program, base))
      followFieldOf(tracer, followed, found, found.node.name, name, at);
  }
  if (owner && tracer.trail.length === before) noteUnset(tracer, followed, { program, node: owner }, name, at);
  return tracer.trail.length > before;
}

/**
 * A field that nothing writes is missing where the object is created, unless one with almost the same name is written.
 */
function noteUnset(
  tracer: Following,
  followed: FollowedValue,
  { program, node: owner }: FoundFunction,
  name: string,
  use: CodeNode | null,
): void {
  if (!isMissing(followed.wanted) || followed.path.length > 0 || (use && use.kind !== "member")) return;
  const className = ownName(owner);
  const methods = program.functions.filter(
    (one) => classAround(one) === owner || (className !== null && classNameOf(one) === className),
  );
  const twin = closest(
    methods.flatMap((one) => ownName(one) ?? []),
    name,
  );
  const alike = twin === null ? undefined : methods.find((one) => ownName(one) === twin);
  const maker = methods.find((one) => program.dialect.constructors.has(one.name ?? ""));
  if (alike) tracer.step({ ...followed, program }, alike, "setting", name);
  else tracer.step({ ...followed, program }, maker ?? owner, "missing-key", name);
}

function ownerName(at: CodeNode): string | null {
  for (let owner = at.owner; owner !== null; owner = owner.owner) {
    const name = classNameOf(owner);
    if (name !== null) return name;
  }
  return null;
}

/** Follows a field of the objects of a class, or of the objects that the functions of a file are methods of. */
export function followFieldOf(
  tracer: Following,
  followed: FollowedValue,
  { program, node: owner }: FoundFunction,
  className: string | null,
  name: string,
  use: CodeNode | null,
): void {
  const before = tracer.trail.length;
  const isOwn = ({ node, on }: Write): boolean => {
    const isOfObject = on === null || plain(on).kind === "self" || isReceiver(program, on);
    const isOfClass =
      owner.kind === "class" ? isWithin(node, owner) || (className !== null && ownerName(node) === className) : true;
    return isOfObject && isOfClass && !(use && isWithin(use, node));
  };
  const files = tracer.codebase
    .all()
    .filter((one) => one === program || (className !== null && one.dialect.hasMethodsOutside));
  const writes = files.flatMap((one) =>
    (one.fieldWrites.get(name) ?? []).filter(isOwn).map((write) => ({ one, write })),
  );
  const valued = writes.filter(({ write }) => write.value !== null);
  if (className !== null && followLiterals(tracer, followed, className, name)) return;
  noteShared(tracer, followed, writes, name, use);
  const [bare] = writes;
  if (valued.length === 0 && bare && isMissing(followed.wanted)) tracer.write(followed, bare.one, bare.write);
  for (const { one, write } of valued.slice(0, writesMax + 1)) tracer.write(followed, one, write);
  const getter = program.functions.find(
    (one) => one.name === name && isGetter(program, one) && (owner.kind !== "class" || classAround(one) === owner),
  );
  if (getter) tracer.returns(followed, { program, node: getter }, name);
  if (owner.kind === "class" && valued.length === 0 && !hasConstructor(program, owner))
    followRecord(tracer, followed, { program, node: owner }, name);
  const isMade = use === null && (owner.kind === "class" || owner.kind === "function");
  if (isMade && tracer.trail.length === before && !hasBase(owner))
    noteUnset(tracer, followed, { program, node: owner }, name, null);
}

/** `Type{name: value}`, and literals that omit the name. */
function followLiterals(tracer: Following, followed: FollowedValue, className: string, name: string): boolean {
  const made = tracer.codebase
    .all()
    .flatMap((program) => (program.typed.get(className) ?? []).map((node) => ({ program, node })));
  for (const { program, node } of made.slice(0, writesMax + 1))
    tracer.value({ ...followed, program, node, path: [name, ...followed.path] });
  return made.length > 0;
}

function hasBase(owner: CodeNode): boolean {
  return part(owner, "base") !== null;
}

function hasConstructor({ functions, dialect }: Program, owner: CodeNode): boolean {
  return functions.some((one) => classAround(one) === owner && dialect.constructors.has(one.name ?? ""));
}

function isGetter({ dialect }: Program, node: CodeNode): boolean {
  if (is(node, "get")) return true;
  const { readsMethodsAsFields, hasSelfParameter } = dialect;
  if (!readsMethodsAsFields || parametersOf(node).length !== Number(hasSelfParameter)) return false;
  return !hasSelfParameter || classAround(node) !== null;
}

/** Notes a field that several functions write. */
function noteShared(
  tracer: Following,
  { from }: FollowedValue,
  writes: readonly { one: Program; write: Write }[],
  name: string,
  use: CodeNode | null,
): void {
  const owners = new Set(
    writes.map(({ write }) => write.node.owner).filter((owner) => owner !== null && owner !== use?.owner),
  );
  const [first] = writes;
  if (!first || owners.size < 2) return;
  const { source } = first.one;
  const place = {
    kind: "place" as const,
    file: source.name,
    line: source.lineAt(first.write.node.start),
    function: null,
    source,
  };
  tracer.trail.add({ kind: "shared-state", args: { name, writers: owners.size } }, place, from);
}

/** Follows `Class(…, value, …)` of a class that only holds values to its arguments. */
function followRecord(
  tracer: Following,
  followed: FollowedValue,
  { program, node: owner }: FoundFunction,
  name: string,
): void {
  const position = fieldNamesOf(owner).indexOf(name);
  if (position < 0 || owner.name === null) return;
  const { via } = followed;
  if (via?.entered === owner) {
    const node = argumentAt(via.call, position, name);
    const outer = { ...followed, program: via.program, frame: via.frame, via: via.outer };
    if (node) tracer.value({ ...tracer.step(outer, node, "argument", name), node });
    return;
  }
  for (const other of tracer.codebase.all()) {
    const calls = other.dialect === program.dialect ? (other.calls.get(owner.name) ?? []) : [];
    for (const call of calls.slice(0, writesMax)) {
      const node = argumentAt(call, position, name);
      if (node) tracer.value({ ...tracer.step({ ...followed, program: other }, node, "argument", name), node });
    }
  }
}

function argumentAt(call: CodeNode, position: number, name: string): CodeNode | null {
  const given = call.children.filter(({ role }) => role === "argument");
  const entry = given.find((one) => one.kind === "entry" && one.name === name);
  return (entry && part(entry, "value")) ?? given[position] ?? null;
}

/**
 * Follows what is written to a member of that name, or under that key, anywhere: contexts, sessions, and messages pass
 * values on unseen.
 */
export function followLoose(tracer: Following, used: FollowedValue, use: CodeNode, name: string): void {
  const followed: FollowedValue = { ...used, frame: null, via: null };
  const others = tracer.codebase
    .all()
    .flatMap((program) =>
      [...(program.fieldWrites.get(name) ?? []), ...(program.entries.get(name) ?? [])]
        .filter(
          ({ node, value }) =>
            value !== null &&
            !(program === used.program && (isWithin(use, node) || isWithin(node, use))) &&
            (isOfCaught(use) || !isOfError(program, node)),
        )
        .map((write) => ({ program, write })),
    );
  const here = others.filter(({ program }) => program === used.program);
  const near = others.length <= looseMax ? others : here.length <= looseMax ? here : [];
  for (const { program, write } of near.slice(0, writesMax + 1)) {
    const value = write.value;
    if (value && !isMissing(followed.wanted) && lacks(value, followed.path[0])) continue;
    if (value && !isLiteral(value)) tracer.write(followed, program, write);
    else if (value && canBe(value, followed.wanted) && followed.path.length === 0)
      tracer.write(followed, program, write);
  }
  if (isMissing(followed.wanted)) for (const one of near.slice(0, writesMax)) noteRegistrations(tracer, followed, one);
  const before = tracer.trail.length;
  if (near.length === 0) followData(tracer, followed, [name], false);
  if (near.length === 0 && before === tracer.trail.length) followGetter(tracer, followed, use, name);
}

/** Returns whether a write is in the class of an error: what is passed to one is used where it was made, not made there. */
function isOfError({ dialect }: Program, write: CodeNode): boolean {
  const owner = classAround(write);
  return [owner?.name, owner && part(owner, "base")?.name].some((name) => dialect.errorMaking.test(name ?? ""));
}

/** Returns whether a member is read of an error, as its name says. */
function isOfCaught(use: CodeNode): boolean {
  const on = receiverOf(use) ?? part(use, "on");
  return on !== null && /^(?:e|ex|exc|err|error|exception|cause|reason|failure)$/i.test(lastName(on) ?? "");
}

/** Returns whether a value is an object literal without the key. */
function lacks(value: CodeNode, key: string | undefined): boolean {
  if (value.kind !== "object" || key === undefined || key === anyKey) return false;
  return !value.children.some((one) => one.kind === "spread" || one.name === null || one.name === key);
}

/**
 * Notes that the value is written by a function that runs only where it was registered, and in the order of
 * registration.
 */
function noteRegistrations(
  tracer: Following,
  followed: FollowedValue,
  { program, write }: { readonly program: Program; readonly write: Write },
): void {
  const { owner } = write.node;
  if (!owner) return;
  for (const { program: where, node } of registrationsOf(tracer.codebase, { program, node: owner }))
    tracer.step({ ...followed, program: where }, node, "argument", write.name);
}

/** Follows a member that is a method without arguments, in languages that read and call alike. */
function followGetter(tracer: Following, followed: FollowedValue, use: CodeNode, name: string): void {
  const on = part(use, "on");
  if (!on || use.kind !== "member") return;
  const classes = classesOf(tracer.codebase, followed.program, on);
  for (const found of classes) followFieldOf(tracer, followed, found, found.node.name, name, use);
  const named = tracer.codebase
    .functionsNamed(name)
    .filter((one) => one.program.dialect === followed.program.dialect && isGetter(one.program, one.node));
  const [getter] = named;
  if (getter && named.length === 1) tracer.returns(followed, getter, name);
}
