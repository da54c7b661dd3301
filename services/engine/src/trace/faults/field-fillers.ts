import type { Codebase } from "../code/codebase.ts";
import { argumentsOf } from "../code/expressions.ts";
import { classAround } from "../code/functions.ts";
import { isReceiver } from "../code/handed-objects.ts";
import { type CodeNode, part, partsOf } from "../code/ir.ts";
import { type Program, parametersOf, type Write } from "../code/program.ts";

/** An expression whose value a field gets. */
export interface Filler {
  readonly program: Program;
  readonly node: CodeNode;
}

/** Maximum calls that create objects of one class in one file. */
const callsMax = 20;

/**
 * Returns what fills a field of the objects of a class, or of any object where the class isn't known: entries, named
 * arguments, arguments of a class that only declares fields, and writes to the field.
 */
export function fillersOf(codebase: Codebase, field: string, className: string | null): Filler[] {
  const own = codebase.own();
  const made = own.flatMap((program) =>
    program.classes
      .filter((node) => className === null || node.name === className)
      .flatMap((node) => argumentsFor(own, program, node, field)),
  );
  const written = own.flatMap((program) => {
    const entries = (program.entries.get(field) ?? []).filter(
      (write) => className === null || isOfClass(write, className),
    );
    const writes = (program.fieldWrites.get(field) ?? []).filter(
      ({ node, on }) => className === null || (classAround(node)?.name === className && isOwn(program, on)),
    );
    return [...entries, ...writes].flatMap(({ value }) => (value ? [{ program, node: value }] : []));
  });
  return [...new Map([...made, ...written].map((one) => [one.node, one])).values()];
}

/** Returns the arguments for a field of a class without a constructor, which takes its fields in their order. */
function argumentsFor(own: readonly Program[], program: Program, owner: CodeNode, field: string): Filler[] {
  const { dialect, functions } = program;
  const position = fieldsOf(program, owner).indexOf(field);
  if (position < 0) return [];
  if (functions.some((one) => classAround(one) === owner && dialect.constructors.has(one.name ?? ""))) return [];
  return own
    .filter((other) => other.dialect === dialect)
    .flatMap((other) =>
      (other.calls.get(owner.name ?? "") ?? []).slice(0, callsMax).flatMap((call) => {
        const given = argumentsOf(call)[position];
        return given?.name === null && given.value.kind !== "spread" ? [{ program: other, node: given.value }] : [];
      }),
    );
}

/** Returns the fields that objects of a class are made of, in their order. */
function fieldsOf({ dialect }: Program, owner: CodeNode): (string | null)[] {
  const fields = dialect.construction === "call" ? (part(owner, "body")?.children ?? []) : [];
  return [...parametersOf(owner), ...fields]
    .filter((one) => one.kind === "parameter" || one.kind === "declare" || one.kind === "assign")
    .map((one) => part(one, "target")?.name ?? one.name);
}

/** Returns whether an entry is an argument of a call that creates an object of the class. */
function isOfClass({ node }: Write, className: string): boolean {
  return (
    node.parent?.kind === "call" && node.parent.name === className && partsOf(node.parent, "argument").includes(node)
  );
}

function isOwn(program: Program, on: CodeNode | null): boolean {
  return on === null || on.kind === "self" || isReceiver(program, on);
}
