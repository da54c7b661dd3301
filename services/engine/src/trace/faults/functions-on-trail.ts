import type { LocatedFrame } from "../../findings/located-frame.ts";
import { nameAround } from "../code/functions.ts";
import type { CodeNode } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Trail } from "../follow/trail.ts";

/** Returns a test of whether code is in a function that is on the stack, or that a failing value passed through. */
export function functionsOnTrail(
  trail: Trail,
  frames: readonly LocatedFrame[],
): (program: Program, node: CodeNode) => boolean {
  const placed = [...trail.signals().map(({ subject }) => subject), ...frames.flatMap(({ place }) => place ?? [])];
  const functions = new Set(placed.map(({ file, function: name }) => `${file}:${name}`));
  return ({ source }, node) => functions.has(`${source.name}:${nameAround(node)}`);
}
