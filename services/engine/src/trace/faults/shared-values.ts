import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { plain } from "../code/expressions.ts";
import { type CodeNode, is, part, walk } from "../code/ir.ts";
import { importedBy, requiredBy } from "../code/modules.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { type Binding, resolve, resolveInModule } from "../code/scopes.ts";

const nodesMax = 20_000;
/** Names of values that every use expects as they were written. */
const constantName = /default|initial|template|(?:^|_)base|empty|blank/i;
/** Names of defaults that are meant to keep what calls add. */
const keptName = /^_|cache|memo|seen|visited/i;
const collections: ReadonlySet<string> = new Set(["list", "dict", "set", "deque", "defaultdict"]);

/** A value that several uses share, by the name that they use, and the literal that it is made by. */
export interface Shared {
  readonly program: Program;
  readonly binding: Binding;
  readonly literal: CodeNode;
}

/** Returns the collections that the code of a file shares: defaults of parameters, and constants, its own and imported. */
export function sharedIn(codebase: Codebase, program: Program): Shared[] {
  return [...ownIn(program), ...importedIn(codebase, program)];
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
          return binding && fallback ? [{ program, binding, literal: fallback }] : [];
        }),
      )
    : [];
  const names = new Set(nameWrites.filter(({ node }) => node.owner === null).map(({ name }) => name));
  const constants = [...names].flatMap((name) => {
    const binding = constantName.test(name) ? resolveInModule(program, name) : null;
    const [only, ...others] = binding?.writes ?? [];
    return binding?.kind === "variable" && only?.value && others.length === 0 && isCollection(only.value)
      ? [{ program, binding, literal: only.value }]
      : [];
  });
  return [...defaults, ...constants.filter(({ binding }) => binding.scope === tree)];
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
    return binding && whole ? [{ program, binding, literal: whole.node }] : [];
  });
}

function isExported({ parent }: CodeNode): boolean {
  const target = parent?.kind === "assign" ? part(parent, "target") : null;
  return target?.name === "exports" || (parent?.kind === "entry" && parent.parent?.kind === "export");
}

/** Returns the first use of a name in a function of a file. */
export function useOf(program: Program, name: string): CodeNode | null {
  const isUse = (node: CodeNode): boolean => node.kind === "name" && node.name === name && node.owner !== null;
  return [...walk(program.tree, nodesMax)].find(isUse) ?? null;
}

/** Returns whether a value is an object, a list, or another collection that code can change. */
export function isCollection(value: CodeNode): boolean {
  const node = plain(value);
  if (is(node, "fixed")) return node.children.some(isCollection);
  if (node.kind === "object" || node.kind === "list") return true;
  return node.kind === "call" && collections.has(node.name ?? "") && node.children.length <= 1;
}
