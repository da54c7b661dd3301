import { memberModule } from "../../source/languages/languages.ts";
import { isTestOnStack } from "../../source/test-file.ts";
import type { Codebase } from "./codebase.ts";
import { argumentsOf } from "./expressions.ts";
import { around, type CodeNode, is, part } from "./ir.ts";
import { filesOf, requiredBy, specifiersOf } from "./modules.ts";
import type { Program } from "./program.ts";

/** An import that runs while the file that has it loads. */
export interface LoadingImport {
  readonly from: Program;
  readonly to: Program;
  /** The import, export, or call. */
  readonly node: CodeNode;
  /** As written. */
  readonly module: string;
}

/** Maximum files that are visited, and imports of a file that are followed. */
const filesMax = 300;
const importsMax = 100;

/** Returns the imports of given files that run while a file loads; those in functions run later, those of types never. */
export function loadingImports(codebase: Codebase, from: Program): LoadingImport[] {
  const required = ["require", "require_relative"].flatMap((name) => from.calls.get(name) ?? []);
  const written = [
    ...[...from.imports, ...from.exports].map((node) => ({ node, module: node.name })),
    ...required.map((node) => ({ node, module: requiredBy(node)?.specifier ?? null })),
  ];
  return written
    .filter(({ node }) => node.owner === null && !is(node, "erased") && !isForTypesOnly(node))
    .slice(0, importsMax)
    .flatMap(({ node, module }) => {
      if (module === null) return [];
      const files = [module, ...membersOf(from, node, module)].flatMap((one) => filesOf(codebase, from, one));
      return [...new Set(files)].map((to) => ({ from, to, node, module }));
    });
}

/** Returns the modules that the imported names may be: `from . import prices`. */
function membersOf({ source }: Program, { children }: CodeNode, module: string): string[] {
  return children.flatMap(({ name }) => (name === null ? [] : (memberModule(source.name, module, name) ?? [])));
}

/** Returns whether an import is under `if TYPE_CHECKING:`, which no run enters. */
function isForTypesOnly(node: CodeNode): boolean {
  const branch = around(node, "if");
  const condition = branch && part(branch, "condition");
  return condition?.name === "TYPE_CHECKING";
}

/**
 * Returns the shortest way along imports from what an import loads back to the file that has it, beginning with the
 * import itself; null where there is none among the given files.
 */
export function cycleThrough(codebase: Codebase, first: LoadingImport): readonly LoadingImport[] | null {
  const reachedBy = new Map<Program, LoadingImport>([[first.to, first]]);
  for (const program of reachedBy.keys()) {
    if (reachedBy.size > filesMax) return null;
    for (const one of loadingImports(codebase, program)) {
      if (one.to === first.from) return [...wayTo(program, reachedBy, first), one];
      if (!reachedBy.has(one.to)) reachedBy.set(one.to, one);
    }
  }
  return null;
}

function wayTo(
  program: Program,
  reachedBy: ReadonlyMap<Program, LoadingImport>,
  first: LoadingImport,
): readonly LoadingImport[] {
  const way: LoadingImport[] = [];
  for (let at = reachedBy.get(program); at !== undefined && at !== first; at = reachedBy.get(at.from)) way.unshift(at);
  return [first, ...way];
}

/**
 * Returns how many imports each file is away from where the program starts: from a file of the stack's outermost calls,
 * or else from the files that nothing imports. `called` are the files that the stack shows to load each other.
 */
export function distancesFromStart(codebase: Codebase, called: readonly Program[]): ReadonlyMap<Program, number> {
  const imports = importsByFile(codebase, called);
  const imported = new Set([...imports.values()].flat());
  const [outermost] = called;
  const roots = [...imports.keys()].filter((one) => !imported.has(one) && !isTestOnStack(one.source.name));
  const distances = new Map<Program, number>();
  for (const starts of [outermost ? [outermost] : [], roots]) measure(starts, imports, distances);
  return distances;
}

function measure(
  starts: readonly Program[],
  imports: ReadonlyMap<Program, readonly Program[]>,
  distances: Map<Program, number>,
): void {
  const known = new Set(distances.keys());
  const added = new Map(starts.filter((one) => !known.has(one)).map((one) => [one, 0]));
  for (const [program, distance] of added)
    for (const to of imports.get(program) ?? []) if (!known.has(to) && !added.has(to)) added.set(to, distance + 1);
  for (const [program, distance] of added) distances.set(program, distance);
}

/** Returns what each file of the user's own code imports at any time. */
function importsByFile(codebase: Codebase, called: readonly Program[]): ReadonlyMap<Program, readonly Program[]> {
  return new Map(
    codebase
      .own()
      .slice(0, filesMax)
      .map((program) => {
        const named = [...new Set(specifiersOf(program))].slice(0, importsMax);
        const loads = called.flatMap((one, at) => (one === program ? (called[at + 1] ?? []) : []));
        return [program, [...named.flatMap((one) => filesOf(codebase, program, one)), ...loads]];
      }),
  );
}

/** Returns the names that an import sets in its file; empty for one that hands on what it imports. */
export function namesSetBy(node: CodeNode): string[] {
  if (node.kind === "export") return [];
  if (node.kind === "import") return node.children.flatMap((entry) => part(entry, "value")?.name ?? []);
  const declared = around(node, "declare", "assign");
  const target = declared && (part(declared, "target") ?? declared);
  if (!target || argumentsOf(node).length === 0) return [];
  if (target.kind !== "object") return target.name === null ? [] : [target.name];
  return target.children.flatMap((entry) => part(entry, "value")?.name ?? entry.name ?? []);
}
