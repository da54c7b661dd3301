import type { Codebase } from "./codebase.ts";
import { definitionsOf } from "./definitions.ts";
import { type FoundFunction, returnsOf } from "./functions.ts";
import { walkOwn } from "./ir.ts";
import { parametersOf } from "./program.ts";

/** Returns the functions of this code that decorators put in the place of a function, and that call it. */
export function wrappersOf(codebase: Codebase, { program, node }: FoundFunction): FoundFunction[] {
  const decorated = node.parent?.kind === "sequence" ? node.parent.children.filter((one) => one !== node) : [];
  return decorated
    .flatMap(({ children }) => children.slice(0, 1))
    .flatMap((decorator) => definitionsOf(codebase, program, decorator))
    .filter((one) => one.node.kind === "function" && !one.program.isInstalled)
    .flatMap((maker) => wrappersMadeBy(codebase, maker));
}

function wrappersMadeBy(codebase: Codebase, maker: FoundFunction): FoundFunction[] {
  const wrapped = parametersOf(maker.node)[0]?.name;
  return returnsOf(maker.program, maker.node)
    .flatMap((value) => (value ? definitionsOf(codebase, maker.program, value) : []))
    .filter(
      ({ node }) =>
        node.owner === maker.node && [...walkOwn(node)].some((one) => one.kind === "call" && one.name === wrapped),
    );
}
