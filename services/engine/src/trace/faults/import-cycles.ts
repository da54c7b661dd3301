import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException } from "../../findings/parsed-error.ts";
import type { Codebase } from "../code/codebase.ts";
import { rootOf } from "../code/expressions.ts";
import { around, type CodeNode, walk } from "../code/ir.ts";
import {
  cycleThrough,
  distancesFromStart,
  type LoadingImport,
  loadingImports,
  namesSetBy,
} from "../code/load-graph.ts";
import { filesOf, findExports, importedBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolve, resolveInModule } from "../code/scopes.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { nodesAtFrame } from "../frames/stack-calls.ts";

const unready =
  /^Cannot access '([\w$]{1,200})' before initialization|^can't access lexical declaration '([\w$]{1,200})' before initialization/;
const baseless = /^Class extends value (?:undefined|#<Object>|\[object (?:Object|Module)\])/;
const partial =
  /^cannot import name '\w{1,200}' from partially initialized module '([\w.]{1,200})'|^partially initialized module '([\w.]{1,200})' has no attribute/;

/** What a file that was still loading lacked, where another one used it. */
interface EarlyUse {
  readonly program: Program;
  /** The module that was still loading, as the import names it. */
  readonly module: string;
}

/**
 * Adds the import that closes the cycle through the failing file, for an error that shows that an imported file was
 * still loading, and notes it where the given files have no such cycle.
 */
export function findImportCycles(
  codebase: Codebase,
  exception: ParsedException,
  frames: readonly LocatedFrame[],
  trail: Trail,
): void {
  const early = earlyUseOf(codebase, exception.message, frames);
  if (!early) return;
  const { program, module } = early;
  const imports = loadingImports(codebase, program).filter((one) => isOf(one, module));
  // A file that shadows the module it wants, such as `random.py`, imports itself.
  if (imports.some(({ to }) => to === program)) return;
  const cycle = imports.map((one) => cycleThrough(codebase, one)).find((one) => one !== null);
  if (!cycle) trail.leaveOpen({ kind: "no-import-cycle", file: program.source.name });
  const closed = cycle ? fromClosing(codebase, cycle, frames) : [];
  const [closing] = closed;
  if (!closing) return;
  const files = closed.map(({ from }) => from.source.name);
  const args = { module: closing.module, files, ...insteadOf(codebase, closing, files) };
  trail.add({ kind: "import-cycle", args }, placeAt(closing.from, closing.node), trail.first);
}

/** Returns the file that failed because an imported one was still loading, as far as the error shows that. */
function earlyUseOf(codebase: Codebase, message: string, frames: readonly LocatedFrame[]): EarlyUse | null {
  const frame = frames.find(({ place }) => place !== null);
  const program = frame?.place && codebase.of(frame.place.source);
  if (!frame || !program) return null;
  const [, imported, module = imported] = partial.exec(message) ?? [];
  if (module !== undefined) return { program, module };
  const [, name, lexical = name] = unready.exec(message) ?? [];
  const nodes = nodesAtFrame(program, frame);
  const used =
    lexical !== undefined
      ? nodes.find((node) => node.kind === "name" && node.name === lexical)
      : baseless.test(message)
        ? nodes.find(({ role }) => role === "base")
        : undefined;
  const root = used && rootOf(used);
  const binding = root?.name ? resolve(program, root.name, root) : null;
  const of = binding && importedBy(binding);
  return of ? { program, module: of.specifier } : null;
}

/** Python names the module in full, which an import may have written relative to its package, or as one of its names. */
function isOf({ to, module }: LoadingImport, wanted: string): boolean {
  if (module === wanted) return true;
  const path = `${to.source.name.replace(/(?:\/__init__)?\.py$/, "")}`;
  return /\.py$/.test(to.source.name) && `/${path}`.endsWith(`/${wanted.replaceAll(".", "/")}`);
}

/**
 * Returns a cycle from the import on that leads the furthest back towards where the program starts: the others lead from
 * what uses to what is used. Where several do, one whose names only functions use, which could run later.
 */
function fromClosing(
  codebase: Codebase,
  cycle: readonly LoadingImport[],
  frames: readonly LocatedFrame[],
): readonly LoadingImport[] {
  const distances = distancesFromStart(codebase, loadersOf(codebase, cycle, frames));
  const weights = cycle.map((edge) => weightOf(edge, distances));
  const closing = weights.indexOf(Math.max(...weights));
  return [...cycle.slice(closing), ...cycle.slice(0, closing)];
}

function weightOf(edge: LoadingImport, distances: ReadonlyMap<Program, number>): number {
  const uses = usesOf(edge);
  if (uses.some(({ role }) => role === "base")) return Number.NEGATIVE_INFINITY;
  const rise = (distances.get(edge.from) ?? 0) - (distances.get(edge.to) ?? 0);
  const isUsedLater = uses.length > 0 && uses.every(({ owner }) => owner !== null);
  return rise + Number(isUsedLater);
}

/** Returns where a file uses what an import brings. */
function usesOf({ from, node }: LoadingImport): CodeNode[] {
  const names = new Set(namesSetBy(node));
  if (names.size === 0) return [];
  return [...walk(from.tree)].filter(
    (one) => one.kind === "name" && one.name !== null && names.has(one.name) && !isWritten(one),
  );
}

function isWritten(name: CodeNode): boolean {
  const inner = around(name, "import", "export", "declare");
  return inner !== null && (inner.kind !== "declare" || name.role === "target");
}

/** The files that loaded each other, outermost first. Modules of JavaScript don't show on a stack what imports them. */
function loadersOf(codebase: Codebase, cycle: readonly LoadingImport[], frames: readonly LocatedFrame[]): Program[] {
  const loaded = frames.toReversed().flatMap(({ place }) => (place && codebase.of(place.source)) ?? []);
  if (cycle.some(({ from }) => from.dialect.exports !== "listed")) return [...new Set(loaded)];
  return loaded.slice(0, 1).filter((one) => !cycle.some(({ from }) => from === one));
}

/** Returns the file that defines all that an import takes from one that only hands it on, if it leads to no cycle. */
function insteadOf(codebase: Codebase, edge: LoadingImport, files: readonly string[]): { readonly instead?: string } {
  const names = edge.node.kind === "import" ? edge.node.children.flatMap(({ name }) => name ?? []) : [];
  const [only, ...others] = new Set(names.map((name) => definingOf(codebase, edge, name)));
  const isOther = only && others.length === 0 && !files.includes(only.source.name);
  return isOther && !cycleThrough(codebase, { ...edge, to: only }) ? { instead: only.source.name } : {};
}

function definingOf(codebase: Codebase, { from, to, module }: LoadingImport, name: string): Program | null {
  const [exported] = findExports(codebase, from, { specifier: module, path: [name] });
  if (exported) return exported.kind === "value" ? exported.program : null;
  // In Python, what a module imports can be imported from it.
  const binding = resolveInModule(to, name);
  const imported = binding && importedBy(binding);
  const [defining] = imported ? filesOf(codebase, to, imported.specifier) : [];
  return defining && resolveInModule(defining, name) ? defining : null;
}
