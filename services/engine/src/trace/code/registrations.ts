import type { Codebase } from "./codebase.ts";
import { argumentsOf, lastName } from "./expressions.ts";
import { type FoundFunction, ownName } from "./functions.ts";
import { isWithin } from "./ir.ts";

const registrationsMax = 2;

/** Returns where a function is passed to what calls it, or where the function that creates it is called. */
export function registrationsOf(codebase: Codebase, { program, node }: FoundFunction): FoundFunction[] {
  const found: FoundFunction[] = [];
  for (let maker: typeof node | null = node; maker !== null; maker = maker.owner) {
    const name = ownName(maker);
    if (name === null || codebase.functionsNamed(name).length > 1) continue;
    for (const other of codebase.near()) {
      if (other.dialect !== program.dialect) continue;
      const calls = [...other.calls].flatMap(([called, all]) =>
        called === name ? all : all.filter((call) => argumentsOf(call).some(({ value }) => lastName(value) === name)),
      );
      found.push(
        ...calls
          .filter((call) => other !== program || !isWithin(call, maker))
          .map((call) => ({ program: other, node: call })),
      );
    }
  }
  return found.length > registrationsMax ? [] : found;
}
