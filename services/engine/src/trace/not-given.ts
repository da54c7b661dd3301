import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal, CodeSignal } from "../signals/signal.ts";
import type { Codebase } from "./code/codebase.ts";
import { plain, rootOf } from "./code/expressions.ts";
import { type CodeNode, nodesBetween, part } from "./code/ir.ts";
import { importedBy, specifiersOf } from "./code/modules.ts";
import type { Program } from "./code/program.ts";
import { type Binding, resolve } from "./code/scopes.ts";
import type { Trail } from "./follow/trail.ts";
import { isOwnModule, shownModule } from "./own-module.ts";

/** Maximum modules that are noted; more of them say no more than that little was given. */
const modulesMax = 3;
const nodesOfLineMax = 400;
const stepsMax = 40;
/** Each name is compared with every import of its file. */
const usesMax = 200;
/** Steps at which code gives a value, rather than taking one. */
const giving: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...([
    "call",
    "awaited-call",
    "lookup",
    "return",
    "assignment",
    "iteration",
    "property",
    "import",
    "computed",
  ] as const),
]);
/** Calls that give what the function that they are passed gives. */
const mapping: ReadonlySet<string> = new Set(["map", "flatMap", "collect", "flat_map", "filter_map", "then"]);

/** A name, and where it is used. */
interface Use {
  readonly program: Program;
  readonly node: CodeNode;
  readonly name: string;
}

/**
 * Notes the program's own modules that give the failing value, by what they export or by a class whose methods are
 * called, and whose files weren't given.
 */
export function noteNotGiven(codebase: Codebase, trail: Trail): void {
  const uses = trail
    .signals()
    .slice(0, stepsMax)
    .flatMap((signal) => usesAt(codebase, signal));
  const noted = new Set<string>();
  for (const use of uses.slice(0, usesMax)) {
    const { program } = use;
    const { name, module } = moduleOf(use) ?? {};
    if (name === undefined || module === undefined || noted.has(module) || noted.size >= modulesMax) continue;
    if (!isOwnModule(codebase, program, module) || isGiven(codebase, program, module)) continue;
    noted.add(module);
    const { name: file } = program.source;
    trail.leaveOpen({ kind: "file-not-given", name, module: shownModule(program, module), file });
  }
}

function usesAt(codebase: Codebase, signal: AnyCodeSignal): Use[] {
  const program = codebase.of(signal.subject.source);
  return program && signal.kind === "value-step" && giving.has(signal.args.how) ? givingUses(program, signal) : [];
}

function isGiven(codebase: Codebase, { source }: Program, module: string): boolean {
  return codebase.files.resolve(source.name, module) !== null;
}

/** Returns the names on a step's line that may give the value: what is called, and what a variable there is set to. */
function givingUses(program: Program, { subject, args }: CodeSignal<"value-step">): Use[] {
  const { start, end } = program.source.lines(subject.line, subject.line);
  const nodes = nodesBetween(program.tree, start, end, nodesOfLineMax);
  const words = new Set(args.code.match(/[\w$]+/g));
  return nodes
    .filter((node) => node.kind === "name" && node.name !== null && words.has(node.name) && node.start >= start)
    .flatMap((node) => [node, ...setTo(program, node)])
    .flatMap((node) => (node.name !== null && givesValue(node) ? [{ program, node, name: node.name }] : []));
}

/** Returns the names in what a local variable is set to. */
function setTo(program: Program, node: CodeNode): CodeNode[] {
  const binding = resolve(program, node.name ?? "", node);
  if (binding?.kind !== "variable") return [];
  return binding.writes
    .flatMap(({ value }) => (value ? nodesBetween(value, value.start, value.end, nodesOfLineMax) : []))
    .filter(({ kind }) => kind === "name");
}

/** Returns whether the value is what a name is called for, or what a function of that name gives for each element. */
function givesValue(node: CodeNode): boolean {
  if (node.role === "argument") return mapping.has(node.parent?.name ?? "");
  const call = outermost(node);
  return call.kind === "call" && rootOf(part(call, "callee") ?? call) === node;
}

/** Returns the call or member that a name is the beginning of: `a` is that of `a.b().c`. */
function outermost(node: CodeNode): CodeNode {
  let at = node;
  for (let { parent } = at; parent && (at.role === "on" || at.role === "callee"); { parent } = at) {
    at = parent;
    if (at.kind === "call") return at;
  }
  return plain(at);
}

/** Returns the module that a name is imported from, or that has the class which the name is declared to be of. */
function moduleOf({ program, node, name }: Use): { readonly name: string; readonly module: string } | null {
  const binding = resolve(program, name, node);
  const imported = binding && importedBy(binding);
  if (imported) return { name, module: imported.specifier };
  const className = /^[A-Z]/.test(name) ? name : typeOf(program, binding, name);
  const module = className === null ? undefined : specifiersOf(program).find((one) => isNamedAfter(one, className));
  return className === null || module === undefined ? null : { name: className, module };
}

function typeOf({ fieldWrites }: Program, binding: Binding | null, name: string): string | null {
  const written = binding ? [...binding.writes] : (fieldWrites.get(name) ?? []).filter(({ on }) => on === null);
  return binding?.node.type ?? written.find(({ node }) => node.type !== null)?.node.type ?? null;
}

/** `bahn.strecke.StreckenDatei` holds `StreckenDatei`, and `./kiln_lid` holds `KilnLid`. */
function isNamedAfter(module: string, name: string): boolean {
  const last = module.split(/[./]/).at(-1) ?? "";
  return last === name || last.replaceAll("_", "").toLowerCase() === name.toLowerCase();
}
