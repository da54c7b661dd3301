import type { AnyCodeSignal, CodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf } from "../code/expressions.ts";
import { classAround } from "../code/functions.ts";
import { isReceiver } from "../code/handed-objects.ts";
import { type CodeNode, functionNodesMax, is, part, walk } from "../code/ir.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { closest } from "../code/similar-names.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/** Functions and attributes that set fields by names that are computed. */
const setting: ReadonlySet<string> = new Set(
  "setattr __setattr__ __dict__ __getattr__ __getattribute__ vars instance_variable_set define_method method_missing defineProperty defineProperties".split(
    " ",
  ),
);

/** A field that was read of an object of a class. */
interface Unset {
  readonly program: Program;
  readonly owner: CodeNode;
  readonly field: string;
}

/**
 * Notes constructors that don't set a field which the class reads, and which no other code sets: it is missing in every
 * object.
 */
export function findUnsetFields({ codebase }: Failure, trail: Trail): void {
  for (const signal of trail.signals()) {
    const unset = lackedBy(codebase, signal) ?? neverMade(codebase, signal);
    if (!unset || isSetSomewhere(codebase, unset)) continue;
    const { program, owner, field } = unset;
    const maker = constructorOf(program, owner);
    if (
      !maker ||
      takes(maker, field) ||
      handsOnSelf(program, maker) ||
      part(owner, "base") ||
      closest(namesOf(owner), field) !== null
    )
      continue;
    const args = { field, className: owner.name ?? "" };
    trail.add({ kind: "unset-field", args }, placeAt(program, maker), signal);
  }
}

/** Finds the class whose object lacks a field, as the error says: `'Desk' object has no attribute 'rows'`. */
function lackedBy(codebase: Codebase, signal: AnyCodeSignal): Unset | null {
  if (signal.kind !== "bad-value" || signal.args.use !== "read" || signal.args.member === null) return null;
  const { was, member: field } = signal.args;
  const [found, ...others] = codebase
    .own()
    .flatMap((program) => program.classes.filter(({ name }) => name === was).map((owner) => ({ program, owner })));
  return found && others.length === 0 && isReadIn(found.program, found.owner, field) ? { ...found, field } : null;
}

/** Finds the class whose constructor ends the way of a missing field. */
function neverMade(codebase: Codebase, signal: AnyCodeSignal): Unset | null {
  if (!isMissingInMaker(signal)) return null;
  const program = codebase.of(signal.subject.source);
  const owner = program?.classes.find(
    (node) =>
      program.source.lineAt(node.start) <= signal.subject.line &&
      program.source.lineAt(node.end) >= signal.subject.line,
  );
  const field = signal.args.name;
  return program && !program.isInstalled && owner && isReadIn(program, owner, field) ? { program, owner, field } : null;
}

function isMissingInMaker(signal: AnyCodeSignal): signal is CodeSignal<"value-step"> {
  return (
    signal.kind === "value-step" &&
    signal.args.how === "missing-key" &&
    signal.isEnd &&
    signal.subject.function !== null
  );
}

/** Returns whether methods of a class read a field of their object, without calling it. */
function isReadIn(program: Program, owner: CodeNode, field: string): boolean {
  return [...walk(owner, functionNodesMax)].some((node) => {
    if (node.kind !== "member" || node.name !== field || node.role === "callee" || node.role === "target") return false;
    const on = part(node, "on");
    return classAround(node) === owner && (on === null || on.kind === "self" || isReceiver(program, on));
  });
}

/** Returns whether a node sets fields whose names it computes: `setattr(self, name, …)`, `Object.assign(this, …)`, `this[name]`. */
function isSetByName(node: CodeNode): boolean {
  if (setting.has(node.name ?? "")) return true;
  if (node.kind === "index") return part(node, "on")?.kind === "self";
  return node.kind === "call" && node.name === "assign" && argumentsOf(node)[0]?.value.kind === "self";
}

function isSetSomewhere(codebase: Codebase, { program, owner, field }: Unset): boolean {
  if ([...walk(owner, functionNodesMax)].some(isSetByName)) return true;
  return codebase
    .own()
    .some(
      (one) =>
        one.dialect === program.dialect &&
        ((one.fieldWrites.get(field)?.length ?? 0) > 0 || declares(program, owner, field) || extendsPrototype(one)),
    );
}

/** `Object.assign(Desk.prototype, mixin)` */
function extendsPrototype({ calls }: Program): boolean {
  return (calls.get("assign") ?? []).some((call) => argumentsOf(call)[0]?.value.name === "prototype");
}

/** Returns whether a class declares a member. */
function declares({ functions }: Program, owner: CodeNode, field: string): boolean {
  if (functions.some((one) => one.name === field && classAround(one) === owner)) return true;
  return (part(owner, "body")?.children ?? []).some((one) => one.name === field || part(one, "target")?.name === field);
}

/** Returns whether a constructor passes its object to a function, which may set fields: `mixin(this)`. */
function handsOnSelf(program: Program, maker: CodeNode): boolean {
  return [...walk(maker, functionNodesMax)].some(
    (node) => node.role === "argument" && (node.kind === "self" || isReceiver(program, node)),
  );
}

/** Returns whether a parameter of a constructor of TypeScript is a field. */
function takes(maker: CodeNode, field: string): boolean {
  return parametersOf(maker).some((one) => one.name === field && is(one, "field"));
}

function constructorOf({ functions, dialect }: Program, owner: CodeNode): CodeNode | null {
  return functions.find((one) => classAround(one) === owner && dialect.constructors.has(one.name ?? "")) ?? null;
}

/** Returns the names of the members that a class has. */
function namesOf(owner: CodeNode): string[] {
  const names = [...walk(owner, functionNodesMax)].flatMap((node) => {
    const isMember = node.kind === "function" || (node.kind === "member" && node.role === "target");
    return isMember && node.name !== null ? [node.name] : [];
  });
  return [...new Set(names)];
}
