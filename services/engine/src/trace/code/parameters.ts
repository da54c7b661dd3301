import { around, type CodeNode, is, part } from "./ir.ts";
import { namesIn, type Program, parametersOf } from "./program.ts";

/** Returns the names of the parameters that callers pass, in order; null for one that has no name of its own. */
export function parameterNames({ dialect }: Program, owner: CodeNode): (string | null)[] {
  const names = parametersOf(owner).map((one) => (is(one, "rest") ? null : one.name));
  const isMethod = around(owner.parent, "function", "class")?.kind === "class";
  return dialect.hasSelfParameter && isMethod ? names.slice(1) : names;
}

/** Returns every variable that the parameters of a function set, including those in patterns. */
export function namesSetByParameters(owner: CodeNode): string[] {
  return parametersOf(owner).flatMap((one) => {
    const target = part(one, "target");
    return [...(one.name === null ? [] : [one.name]), ...(target ? namesIn(target).map(({ name }) => name) : [])];
  });
}
