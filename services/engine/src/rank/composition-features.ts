import { type Composition, type Construct, constructs } from "../source/constructs.ts";
import type { FailureView, FileView } from "./file-view.ts";

/** Functions hardly ever have the others. */
const outsideFunctions: ReadonlySet<Construct> = new Set(["class", "import", "moduleCall"]);
const inFunctions = constructs.filter((construct) => !outsideFunctions.has(construct));

/**
 * Returns what a file's code is made of: as a whole, and in the functions that the stack or a signal leads to. The
 * logarithm of how often each construct occurs. Without a stack, what files are made of says nothing about a failure.
 */
export function compositionFeatures(view: FileView, { stack }: FailureView): Record<string, number> {
  const { frames, signals } = view;
  const code = stack.length > 0 ? view.code : null;
  const lines = [
    ...frames.flatMap(({ place }) => place?.line ?? []),
    ...signals.flatMap(({ kind, subject }) => (kind === "missing-await" ? [] : subject.line)),
  ];
  return {
    ...counted("code", constructs, code?.composition),
    ...countedConstructs("near", code?.compositionAround(lines)),
  };
}

/** Returns the features of the composition of functions. */
export function countedConstructs(prefix: string, composition: Composition | undefined): Record<string, number> {
  return counted(prefix, inFunctions, composition);
}

/** Returns the features of a composition; those of code that wasn't read are 0. */
function counted(
  prefix: string,
  some: readonly Construct[],
  composition: Composition | undefined,
): Record<string, number> {
  return Object.fromEntries(
    some.map((construct) => [`${prefix}-${construct}`, Math.log1p(composition?.get(construct) ?? 0)]),
  );
}
