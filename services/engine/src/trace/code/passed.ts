import type { PassedArgument } from "../traced.ts";
import { argumentsOf } from "./expressions.ts";
import { around, type CodeNode, is, part } from "./ir.ts";
import { type Program, parametersOf } from "./program.ts";

/** Returns the names of the parameters that callers pass, in order; null for one that has no name of its own. */
export function parameterNames({ dialect }: Program, owner: CodeNode): (string | null)[] {
  const names = parametersOf(owner).map((one) => (is(one, "rest") ? null : one.name));
  const isMethod = around(owner.parent, "function", "class")?.kind === "class";
  return dialect.hasSelfParameter && isMethod ? names.slice(1) : names;
}

/** Returns what the only call of a name on a line passes; null where there isn't one, or it may pass more than it shows. */
export function passedOn(program: Program, line: number, callee: string): PassedArgument[] | null {
  const { source, calls } = program;
  const here = (calls.get(callee) ?? []).filter((call) => source.lineAt(namedAt(call)) === line);
  const [only] = here;
  if (!only || here.length > 1) return null;
  const passed = argumentsOf(only);
  if (passed.some(({ value }) => value.kind === "spread")) return null;
  return passed.map(({ name, value }) => ({ name, text: source.text.slice(value.start, value.end) }));
}

/** Returns the position at which a call names what it calls, which of a chain over several lines is its last name. */
function namedAt(call: CodeNode): number {
  const callee = part(call, "callee");
  return callee ? callee.end - 1 : call.start;
}
