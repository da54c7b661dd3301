import { lastName, receiverOf } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { type Program, put } from "../code/program.ts";
import { changingCalls } from "../dialects/dialect.ts";

/** A piece of code and its file. */
export interface Place {
  readonly program: Program;
  readonly node: CodeNode;
}

/** Code that changes an object in place. */
export interface Change extends Place {
  readonly on: CodeNode;
}

/** Returns what changes a collection or an object in place, by the last name of what is changed. */
export function changesIn(programs: readonly Program[]): ReadonlyMap<string, readonly Change[]> {
  const found = new Map<string, Change[]>();
  const add = (program: Program, node: CodeNode, on: CodeNode | null): void => {
    const name = on && lastName(on);
    if (on && name) put(found, name, { program, node, on });
  };
  for (const program of programs) {
    for (const method of changingCalls(program.dialect))
      for (const call of program.calls.get(method) ?? []) add(program, call, receiverOf(call));
    for (const writes of [...program.entries.values(), ...program.fieldWrites.values()])
      for (const { on, node } of writes) if (on?.kind !== "self") add(program, node, on);
    for (const node of program.deleted) add(program, node, receiverOf(node));
    for (const node of program.appended) add(program, node, part(node, "left"));
  }
  return found;
}
