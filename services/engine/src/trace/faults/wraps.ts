import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException } from "../../findings/parsed-error.ts";
import type { Codebase } from "../code/codebase.ts";
import { around, type CodeNode, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import { raiseAt, siteOf } from "../follow/throw-site.ts";

/** Names of the error that a function receives: `.catch((reason) => …)`, `(err, rows) => …`, `wrapped(error)`. */
const handedError = /^(?:e|ex|exc|err|error|reason|cause|exception)$/i;

/**
 * Returns the frame that raised an error only to pass on the one it received: `throw new OrderError("…", { cause: error
 * })`. Null when the error is its own: raised by the runtime, or in place of an error other than the one caught.
 */
export function wrapOf(
  codebase: Codebase,
  error: ParsedException,
  frames: readonly LocatedFrame[],
): LocatedFrame | null {
  const thrower = frames.find(({ place }) => place !== null);
  const site = thrower && siteOf(codebase, thrower, error);
  const raise = site && raiseAt(site);
  return raise && passesOn(site.program, raise) ? thrower : null;
}

function passesOn(program: Program, raise: CodeNode): boolean {
  if (program.dialect.keepsHandledErrors && around(raise, "catch", "function")?.kind === "catch") return true;
  for (const node of walk(raise))
    if (node.kind === "name" && node.role !== "on" && isHanded(program, node)) return true;
  return false;
}

/** Returns whether a name refers to an error that was caught, or that the function received. */
function isHanded(program: Program, node: CodeNode): boolean {
  const binding = resolve(program, node.name ?? "", node);
  return binding?.kind === "caught" || (binding?.kind === "parameter" && handedError.test(binding.name));
}
