import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { type CodeNode, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Trail } from "../follow/trail.ts";

/** Maximum nodes of a file that are looked at. */
const nodesMax = 60_000;

/** A node, and the file that it is in. */
export interface OwnNode {
  readonly program: Program;
  readonly node: CodeNode;
}

/** Returns what the user's own code consists of, file by file. */
export function* ownNodes(codebase: Codebase): Generator<OwnNode> {
  for (const program of codebase.own()) for (const node of walk(program.tree, nodesMax)) yield { program, node };
}

/** Returns what the user's own files consist of that are on the stack, or that a failing value passed through. */
export function* ownNodesOnTrail(
  codebase: Codebase,
  frames: readonly LocatedFrame[],
  trail: Trail,
): Generator<OwnNode> {
  const files = new Set([
    ...trail.signals().map(({ subject }) => subject.file),
    ...frames.flatMap(({ place }) => place?.file ?? []),
  ]);
  const running = new Set(frames.flatMap(({ place }) => (place && codebase.of(place.source)?.dialect) ?? []));
  for (const program of codebase.own()) {
    // A trail can lead into code of another language, which didn't run.
    if (!files.has(program.source.name) || (running.size > 0 && !running.has(program.dialect))) continue;
    for (const node of walk(program.tree, nodesMax)) yield { program, node };
  }
}

/** Returns the calls of some functions in the user's own code, by the last part of their names. */
export function ownCalls(codebase: Codebase, names: Iterable<string>): OwnNode[] {
  const distinct = [...names];
  return codebase
    .own()
    .flatMap((program) => distinct.flatMap((name) => program.calls.get(name) ?? []).map((node) => ({ program, node })));
}
