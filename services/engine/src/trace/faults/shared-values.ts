import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { plain, receiverOf } from "../code/expressions.ts";
import { returnsOf } from "../code/functions.ts";
import { around, type CodeNode, is, part, walk } from "../code/ir.ts";
import { importedBy, requiredBy } from "../code/modules.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { type Binding, resolve, resolveInModule } from "../code/scopes.ts";

const nodesMax = 20_000;
const decoratorNodesMax = 20;
/** Names of values that every use expects as they were written. */
const constantName = /default|initial|template|(?:^|_)base|empty|blank/i;
/** Names of defaults that are meant to keep what calls add. */
const keptName = /^_|cache|memo|seen|visited/i;
const collections: ReadonlySet<string> = new Set(["list", "dict", "set", "deque", "defaultdict"]);

/** Names of constants in the style of most languages. */
const capitals = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;
/** Decorators that keep what a function returns for its later calls. */
const keeping: ReadonlySet<string> = new Set("lru_cache cache cached memoize memoized".split(" "));

/** Calls that make a collection that can be changed from another one. */
const made: ReadonlySet<string> = new Set("asList ArrayList LinkedList HashMap TreeMap ArrayDeque".split(" "));

/** A value that several uses share, and the literal that it is made by. */
export interface Shared {
  readonly program: Program;
  readonly name: string;
  /** The name that the uses share; null for what a function or a class keeps. */
  readonly binding: Binding | null;
  /** The class or module that it is a constant of; null for others. */
  readonly owner: CodeNode | null;
  /** The function that keeps it for its later calls; null for a name. */
  readonly keptBy: CodeNode | null;
  readonly literal: CodeNode;
  /** Whether code may be meant to change what it holds, but not its order. */
  readonly isOnlyOrdered: boolean;
  /** Whether its name doesn't say that every use expects it as it was written. */
  readonly isPlain: boolean;
}

/**
 * Returns the collections that the code of a file shares: defaults of parameters, constants, its own and imported, and
 * what functions keep for their later calls.
 */
export function sharedIn(codebase: Codebase, program: Program): Shared[] {
  return [...ownIn(program), ...keptIn(program), ...importedIn(codebase, program), ...ofClassesIn(program)];
}

function named(program: Program, binding: Binding, literal: CodeNode, isOnlyOrdered = false): Shared {
  const isPlain = binding.kind === "variable" && !constantName.test(binding.name);
  return { isPlain, program, name: binding.name, binding, owner: null, keptBy: null, literal, isOnlyOrdered };
}

/** Returns the constants of classes and modules. */
function ofClassesIn(program: Program): Shared[] {
  return [...program.fieldWrites].flatMap(([name, [only, ...others]]) => {
    const owner = only && only.on === null && only.node.owner === null ? around(only.node, "class") : null;
    const value = only?.value ?? null;
    const isShared = owner && value && others.length === 0 && capitals.test(name) && !keptName.test(name);
    return isShared && isCollection(value) && isFilledLiteral(value)
      ? [{ program, name, binding: null, owner, keptBy: null, literal: value, isOnlyOrdered: false, isPlain: true }]
      : [];
  });
}

/** Returns the collections that decorated functions return to each caller. */
function keptIn(program: Program): Shared[] {
  return program.functions.flatMap((owner) => {
    const beside = owner.parent?.kind === "sequence" ? owner.parent.children.filter((one) => one !== owner) : [];
    const isKeeping = beside.some((one) =>
      [...walk(one, decoratorNodesMax)].some(({ name }) => keeping.has(name ?? "")),
    );
    const [only, ...others] = isKeeping ? returnsOf(program, owner) : [];
    const isShared = owner.name !== null && others.length === 0 && only && isCollection(only);
    return isShared
      ? [
          {
            program,
            name: owner.name ?? "",
            binding: null,
            owner: null,
            keptBy: owner,
            literal: only,
            isOnlyOrdered: false,
            isPlain: false,
          },
        ]
      : [];
  });
}

/** Returns the parameters with a default that all calls share, and the constants of a module. */
function ownIn(program: Program): Shared[] {
  const { dialect, functions, nameWrites, tree } = program;
  const defaults = dialect.defaultsAreShared
    ? functions.flatMap((owner) =>
        parametersOf(owner).flatMap((parameter) => {
          const fallback = part(parameter, "fallback");
          const body = part(owner, "body");
          const name = parameter.name ?? "_";
          const isShared = fallback !== null && isCollection(fallback) && body !== null && !keptName.test(name);
          const binding = isShared ? resolve(program, name, body) : null;
          return binding && fallback ? [named(program, binding, fallback)] : [];
        }),
      )
    : [];
  const names = new Set(nameWrites.filter(({ node }) => node.owner === null).map(({ name }) => name));
  const constants = [...names].flatMap((name) => {
    const binding = keptName.test(name) ? null : resolveInModule(program, name);
    const [only, ...others] = binding?.writes ?? [];
    const value = others.length === 0 ? (only?.value ?? null) : null;
    if (binding?.kind !== "variable" || binding.scope !== tree || !value || !isCollection(value)) return [];
    const isFilled = isFilledLiteral(value);
    if (!isFilled && !constantName.test(name)) return [];
    return [named(program, binding, value, !constantName.test(name) && !capitals.test(name))];
  });
  return [...defaults, ...constants];
}

/** Returns whether a collection is written with elements: code may be meant to fill an empty one. */
function isFilledLiteral(value: CodeNode): boolean {
  const node = unfrozen(value);
  if (node.kind === "call") return made.has(node.name ?? "") && node.children.some(({ role }) => role === "argument");
  return (node.kind === "object" || node.kind === "list") && node.children.length > 0;
}

/** Returns the objects without a name of their own that a module imports: `module.exports = { … }`. */
function importedIn(codebase: Codebase, program: Program): Shared[] {
  if (program.dialect.exports !== "listed") return [];
  const written = program.nameWrites.filter(({ node }) => node.owner === null).map(({ name }) => name);
  const imported = program.imports.flatMap(({ children }) => children.flatMap((one) => part(one, "value")?.name ?? []));
  return [...new Set([...written, ...imported])].flatMap((name) => {
    const binding = constantName.test(name) ? resolveInModule(program, name) : null;
    const value = binding?.writes[0]?.value ?? null;
    const isRequired = value !== null && requiredBy(plain(value)) !== null;
    const use = binding && (isRequired || importedBy(binding) !== null) ? useOf(program, name) : null;
    const made = use ? definitionsOf(codebase, program, use) : [];
    const whole = made.find(({ node, program: other }) => !other.isInstalled && isCollection(node) && isExported(node));
    return binding && whole ? [named(program, binding, whole.node)] : [];
  });
}

function isExported({ parent }: CodeNode): boolean {
  const target = parent?.kind === "assign" ? part(parent, "target") : null;
  return target?.name === "exports" || (parent?.kind === "entry" && parent.parent?.kind === "export");
}

/** Returns the first use of a name in a function or a loop of a file. */
export function useOf(program: Program, name: string): CodeNode | null {
  const isUse = (node: CodeNode): boolean =>
    node.kind === "name" && node.name === name && (node.owner !== null || around(node, "loop") !== null);
  return [...walk(program.tree, nodesMax)].find(isUse) ?? null;
}

/** Returns whether a value is an object, a list, or another collection that code can change. */
export function isCollection(value: CodeNode): boolean {
  const node = unfrozen(value);
  if (is(node, "fixed")) return node.children.some(isCollection);
  if (node.kind === "object" || node.kind === "list") return true;
  if (node.kind === "call" && made.has(node.name ?? "")) return true;
  return node.kind === "call" && collections.has(node.name ?? "") && node.children.length <= 1;
}

/** Returns the literal of `[…].freeze`, which freezes one level. */
export function unfrozen(value: CodeNode): CodeNode {
  const node = plain(value);
  const on = node.kind === "call" && node.name === "freeze" ? receiverOf(node) : null;
  return on ? plain(on) : node;
}
