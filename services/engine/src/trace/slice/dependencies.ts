import type { LocatedException, LocatedFrame } from "../../findings/located-frame.ts";
import type { SourceText } from "../../source/source-text.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, heldBy, keyText, receiverOf, rootOf } from "../code/expressions.ts";
import { ownName, returnsOf } from "../code/functions.ts";
import { type CodeNode, part, walk } from "../code/ir.ts";
import { findExports, type Imported, importedBy, siblingsOf } from "../code/modules.ts";
import { type Program, parametersOf, put, type Write } from "../code/program.ts";
import { type Binding, resolve, resolveInModule, writesReaching } from "../code/scopes.ts";
import { isChanging } from "../dialects/dialect.ts";
import { callersOf } from "../follow/callers.ts";
import { type Change, changesIn, type Place } from "./changes.ts";
import { refusingConnections } from "./connections.ts";
import { runUntil } from "./run-until.ts";
import { conditionsAround, statementsBefore } from "./surroundings.ts";

/** Code that other code depends on. */
export interface Dependency extends Place {
  /** The position in the text where it is needed, in UTF-16 units. */
  readonly neededAt: number;
  /** How strongly, from 0 to 1. */
  readonly weight: number;
  readonly kind: DependencyKind;
  /** The variable, parameter, field, or function by whose name it was found; null for code around it. */
  readonly name: string | null;
}

/** A dependency as found by a name, wherever that is read. */
type Unplaced = Omit<Dependency, "neededAt">;

/** A file that code names. */
export interface NamedFile {
  readonly source: SourceText;
  readonly weight: number;
  /** Where it is named, as a position in the text, in UTF-16 units. */
  readonly neededAt: number;
  /** Its folder, where only that is named. */
  readonly folder: string | null;
}

/**
 * - `local`: what a variable is set to.
 * - `argument`: what a parameter is passed.
 * - `result`: what a function returns that is called; `named`, when it is known by its name alone.
 * - `field`: what is written to a field or key of this name, of any object.
 * - `change`: what a collection or an object is changed by.
 * - `condition`: what decides whether the code runs.
 * - `before`: a statement that calls something before it, for its effect.
 * - `user`: another call of the function that it is in, which may keep what both use.
 * - `file`: a file that the code names.
 */
export type DependencyKind = keyof typeof weights;

/** How much of the weight of the code is left to one dependency of it, by judgement. */
const weights = {
  local: 0.95,
  argument: 0.85,
  result: 0.85,
  named: 0.5,
  field: 0.75,
  change: 0.75,
  condition: 0.7,
  file: 0.7,
  before: 0.4,
  user: 0.4,
} as const;
/** How much of a piece of code is read for names. */
const nodesMax = 150;
/** A variable with more writes is generated: each of them is compared with each use. */
const writesMax = 500;
/** A name with more writers shows nothing. */
const writersMax = 40;
const pathUnitsMax = 200;
/** A method that more functions have the name of is too common to follow, or to read the users of. */
const namesakesMax = 12;
/** What methods call the object or class that callers don't pass. */
const objectNames: ReadonlySet<string> = new Set(["self", "cls"]);
/** Finds what code depends on, by the names that it reads. */
export class Dependencies {
  readonly #codebase: Codebase;
  readonly #frames: readonly LocatedFrame[];
  readonly #connections: ReadonlySet<CodeNode>;
  readonly #until: ReadonlyMap<CodeNode, number>;
  readonly #named = new Map<string, SourceText[]>();
  /** Code reads the same names again and again, and each is looked for in all programs. */
  readonly #fields = new Map<string, readonly Unplaced[]>();
  readonly #arguments = new Map<Binding, readonly Place[]>();
  #near: readonly Program[] | undefined;
  #changes: ReadonlyMap<string, readonly Change[]> | undefined;

  constructor(codebase: Codebase, chain: readonly LocatedException[]) {
    const frames = chain.toReversed().flatMap((one) => one.frames);
    this.#codebase = codebase;
    this.#frames = frames;
    this.#connections = refusingConnections(codebase, chain);
    this.#until = runUntil(codebase, frames);
    for (const source of codebase.files.all) {
      const [base = "", folder] = source.name.split("/").toReversed();
      put(this.#named, base, source);
      if (folder !== undefined) put(this.#named, folder, source);
    }
  }

  /** Returns the given files whose name, or that of their folder, a piece of code contains as a text. */
  filesNamed(program: Program, piece: CodeNode): NamedFile[] {
    const found = new Map<SourceText, { readonly last: string; readonly at: number }>();
    for (const { kind, name, at } of walk(piece, nodesMax)) {
      if ((kind !== "string" && kind !== "template") || name === null || name.length > pathUnitsMax) continue;
      const last = /[^/]+(?=\/?$)/.exec(name)?.[0] ?? "";
      for (const source of this.#named.get(last) ?? []) if (source !== program.source) found.set(source, { last, at });
    }
    if (found.size > writersMax) return [];
    const weight = weights.file / Math.sqrt(found.size);
    return Array.from(found, ([source, { last, at }]) => {
      const folder = source.name.endsWith(`/${last}`) || source.name === last ? null : last;
      return { source, weight, neededAt: at, folder };
    });
  }

  /** Returns what a piece of code depends on: by data, and by the conditions under which it runs. */
  of(program: Program, piece: CodeNode): Dependency[] {
    const until = this.#until.get(piece) ?? piece.end;
    const ran = [...walk(piece, nodesMax)].filter((node) => node.start <= until && !this.#connections.has(node));
    const data = ran.flatMap((node) => neededAt(node.at, this.#ofNode(program, node)));
    const conditions = conditionsAround(piece).map((node) => ({ program, node }));
    // All of them decide, so that they don't share the weight.
    return [...data, ...neededAt(piece.start, weighed("condition", null, conditions, 1))];
  }

  /** Returns what a line on the stack depends on besides: what ran before it, and who else uses what failed in it. */
  ofLine(program: Program, line: CodeNode): Dependency[] {
    const before = statementsBefore(line).map((node) => ({ program, node }));
    const name = line.owner && ownName(line.owner);
    const users = this.#usersOf(program, name);
    return neededAt(line.start, [...weighed("before", null, before), ...weighed("user", name, users)]);
  }

  /** Calls of a function by its name. */
  #usersOf(program: Program, name: string | null): Place[] {
    if (name === null || isChanging(program.dialect, name) || this.#codebase.functionsNamed(name).length > namesakesMax)
      return [];
    const calls = this.#programs().flatMap((one) =>
      one.dialect === program.dialect ? (one.calls.get(name) ?? []).map((node) => ({ program: one, node })) : [],
    );
    return calls.length > writersMax ? [] : calls;
  }

  #ofNode(program: Program, node: CodeNode): readonly Unplaced[] {
    const { kind, role, name } = node;
    if (kind === "call") return this.#ofCall(program, node);
    if (role === "target" || role === "callee") return [];
    if (kind === "name") return this.#ofName(program, node);
    if (kind === "member") return name === null ? [] : this.#ofMember(program, node, name);
    const key = kind === "index" ? part(node, "key") : null;
    const text = key && keyText(key);
    return text ? this.#ofField(text) : [];
  }

  #ofName(program: Program, use: CodeNode): Unplaced[] {
    const name = use.name ?? "";
    const binding = resolve(program, name, use);
    if (!binding) return this.#ofSibling(program, name);
    if (binding.kind === "parameter") {
      const written = binding.writes.length > 0 ? reaching(binding, use) : [];
      return [
        ...weighed("local", name, valuesOf(program, written)),
        ...weighed("argument", name, this.#argumentsFor(program, binding)),
        ...weighed("change", name, this.#changesOf(program, binding)),
      ];
    }
    const imported = importedBy(binding);
    if (imported) return this.#ofImport(program, imported, name);
    if (binding.kind !== "variable") return [];
    return [
      ...weighed("local", name, valuesOf(program, reaching(binding, use))),
      ...weighed("change", name, this.#changesOf(program, binding)),
    ];
  }

  #ofImport(program: Program, imported: Imported, name: string): Unplaced[] {
    const values = findExports(this.#codebase, program, imported).filter((one) => one.kind === "value");
    const declared = values.flatMap((one) => {
      const binding = resolveInModule(one.program, heldBy(one.node) ?? "");
      return binding ? this.#changesOf(one.program, binding) : [];
    });
    const data = values.filter(({ node }) => node.kind !== "function" && node.kind !== "class");
    return [...weighed("local", name, data), ...weighed("change", name, declared)];
  }

  /** A name that another file of the package declares. */
  #ofSibling(program: Program, name: string): Unplaced[] {
    return siblingsOf(this.#codebase, program).flatMap((one) => {
      const binding = resolveInModule(one, name);
      return binding?.kind === "variable"
        ? [
            ...weighed("local", name, valuesOf(one, binding.writes)),
            ...weighed("change", name, this.#changesOf(one, binding)),
          ]
        : [];
    });
  }

  #argumentsFor(program: Program, parameter: Binding): readonly Place[] {
    const found = this.#arguments.get(parameter) ?? this.#passedTo(program, parameter);
    this.#arguments.set(parameter, found);
    return found;
  }

  #passedTo(program: Program, { node, position }: Binding): Place[] {
    const owner = node.parent;
    if (owner?.kind !== "function") return [];
    const call = owner.role === "argument" && owner.parent?.kind === "call" ? owner.parent : null;
    const list = call && receiverOf(call);
    if (list) return [{ program, node: list }];
    const shift = program.dialect.hasSelfParameter && objectNames.has(parametersOf(owner)[0]?.name ?? "") ? 1 : 0;
    return callersOf(this.#codebase, this.#frames, { program, node: owner }, null).flatMap((site) => {
      const given = argumentsOf(site.call);
      const one = given.find(({ name }) => name !== null && name === node.name) ?? given[position - shift];
      return one ? [{ program: site.program, node: one.value }] : [];
    });
  }

  #ofMember(program: Program, { children: [on] }: CodeNode, name: string): readonly Unplaced[] {
    const binding = on?.kind === "name" && on.name !== null ? resolve(program, on.name, on) : null;
    const module = binding && importedBy(binding);
    const exported = module ? this.#ofImport(program, { ...module, path: [...module.path, name] }, name) : [];
    return exported.length > 0 ? exported : this.#ofField(name);
  }

  /** The writes to fields and keys of a name, whatever the object. */
  #ofField(name: string): readonly Unplaced[] {
    const found = this.#fields.get(name) ?? this.#writersOf(name);
    this.#fields.set(name, found);
    return found;
  }

  #writersOf(name: string): Unplaced[] {
    const written = this.#programs().flatMap((program) =>
      valuesOf(program, [...(program.fieldWrites.get(name) ?? []), ...(program.entries.get(name) ?? [])]),
    );
    const changes = (this.#changesByName().get(name) ?? []).filter(({ on }) => on.kind === "member");
    return [...weighed("field", name, written), ...weighed("change", name, changes)];
  }

  #ofCall(program: Program, call: CodeNode): Unplaced[] {
    const callees = calleesOf(this.#codebase, program, call);
    const name = call.name ?? "";
    const named = callees.length > 0 || isChanging(program.dialect, name) ? [] : this.#codebase.functionsNamed(name);
    const found = callees.length > 0 ? callees : named.length <= namesakesMax ? named : [];
    const results = found.flatMap((one) => {
      const values = returnsOf(one.program, one.node).filter((value) => value !== null);
      return (values.length > 0 ? values : [part(one.node, "body") ?? one.node]).map((node) => ({
        program: one.program,
        node,
      }));
    });
    return weighed(callees.length > 0 ? "result" : "named", name, results);
  }

  /** What is put into, or taken out of, the collection that a variable holds. */
  #changesOf(program: Program, binding: Binding): Place[] {
    const named = this.#changesByName().get(binding.name) ?? [];
    const isModule = binding.scope === program.tree;
    return named.filter((change) => {
      const root = rootOf(change.on);
      if (root.kind !== "name") return false;
      if (root.name !== binding.name) return isModule && this.#isExportOf(program, change);
      if (change.program === program) return resolve(program, binding.name, root) === binding;
      const other = isModule ? resolve(change.program, binding.name, root) : null;
      return isModule && (other === null || importedBy(other) !== null);
    });
  }

  /** Whether a change is to `module.NAME`, which the program declares. */
  #isExportOf(program: Program, change: Change): boolean {
    const on = change.on.kind === "member" ? part(change.on, "on") : null;
    const binding = on?.kind === "name" && on.name !== null ? resolve(change.program, on.name, on) : null;
    const module = binding && importedBy(binding);
    if (!module || change.on.name === null) return false;
    const imported = { ...module, path: [...module.path, change.on.name] };
    return findExports(this.#codebase, change.program, imported).some(
      (one) => one.kind === "value" && one.program === program,
    );
  }

  #programs(): readonly Program[] {
    this.#near ??= this.#codebase.near();
    return this.#near;
  }

  #changesByName(): ReadonlyMap<string, readonly Change[]> {
    this.#changes ??= changesIn(this.#programs());
    return this.#changes;
  }
}

function valuesOf(program: Program, writes: readonly Write[]): Place[] {
  return writes.map(({ value, node }) => ({ program, node: value ?? node }));
}

/** Returns the writes that a use can see; none of a variable that generated code writes to again and again. */
function reaching(binding: Binding, use: CodeNode): Write[] {
  return binding.writes.length > writesMax ? [] : writesReaching(binding, use);
}

/** Returns places with the weight of one dependency of several; nothing if they are too many. */
function weighed(kind: DependencyKind, name: string | null, places: readonly Place[], of = places.length): Unplaced[] {
  if (places.length > writersMax) return [];
  const weight = weights[kind] / Math.sqrt(of);
  return places.map(({ program, node }) => ({ program, node, weight, kind, name }));
}

function neededAt(position: number, found: readonly Unplaced[]): Dependency[] {
  return found.map((one) => ({ ...one, neededAt: position }));
}
