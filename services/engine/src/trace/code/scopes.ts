import { type CodeNode, is, part } from "./ir.ts";
import { namesIn, type Program, parametersOf, type Write } from "./program.ts";

/** What a name refers to at a use of it. */
export interface Binding {
  readonly kind: "parameter" | "variable" | "function" | "class" | "import" | "caught";
  readonly name: string;
  /** Its declaration: the parameter, function, class, or import entry. */
  readonly node: CodeNode;
  readonly scope: CodeNode;
  /** The writes to it, including its declaration, in text order. */
  readonly writes: Write[];
  /** For a parameter: its position, the path destructured from the argument, and the default. */
  readonly position: number;
  readonly path: readonly string[];
  readonly fallback: CodeNode | null;
}

type Scopes = Map<CodeNode, Map<string, Binding>>;

const scopesOfPrograms = new WeakMap<Program, Scopes>();

/** Returns what a name refers to at a node; null when this file doesn't declare it. */
export function resolve(program: Program, name: string, at: CodeNode): Binding | null {
  const scopes = scopesOf(program);
  for (let node: CodeNode | null = at; node !== null; node = node.parent) {
    const binding = scopes.get(node)?.get(name);
    if (binding) return binding;
  }
  return null;
}

/** Returns what a name refers to at module level. */
export function resolveInModule(program: Program, name: string): Binding | null {
  return scopesOf(program).get(program.tree)?.get(name) ?? null;
}

function scopesOf(program: Program): Scopes {
  const known = scopesOfPrograms.get(program);
  if (known) return known;
  const scopes: Scopes = new Map();
  scopesOfPrograms.set(program, scopes);
  for (const owner of program.functions) declareFunction(scopes, owner);
  for (const node of program.classes) {
    if (node.name !== null) declare(scopes, blockAround(node.parent), made("class", node.name, node));
  }
  for (const one of program.imports) {
    for (const entry of one.children) {
      const local = part(entry, "value")?.name;
      if (local) declare(scopes, blockAround(one.parent), made("import", local, entry));
    }
  }
  for (const node of program.catches) {
    const target = part(node, "target");
    if (target) for (const { name } of namesIn(target)) declare(scopes, node, made("caught", name, node));
  }
  // Declarations first: an assignment can precede the declaration that it refers to.
  for (const write of program.nameWrites) if (write.node.kind !== "assign") declareWrite(program, scopes, write);
  for (const write of program.nameWrites) if (write.node.kind === "assign") addAssignment(program, scopes, write);
  return scopes;
}

type Bare = Omit<Binding, "scope">;

function made(kind: Binding["kind"], name: string, node: CodeNode): Bare {
  return { kind, name, node, writes: [], position: -1, path: [], fallback: null };
}

function declare(scopes: Scopes, scope: CodeNode, bare: Bare): Binding {
  const names = scopes.get(scope) ?? new Map<string, Binding>();
  scopes.set(scope, names);
  const known = names.get(bare.name);
  // Of several declarations the first is kept; a redeclared function is another value.
  if (known) return known;
  const binding = { ...bare, scope };
  names.set(bare.name, binding);
  return binding;
}

function declareFunction(scopes: Scopes, node: CodeNode): void {
  const isMember = is(node, "method") || node.parent?.parent?.kind === "class";
  if (node.name !== null && !isMember) {
    // The name of a function expression is visible only inside it.
    const isStatement = node.role === null || node.role === "then" || node.role === "otherwise";
    declare(scopes, isStatement ? blockAround(node.parent) : node, made("function", node.name, node));
  }
  for (const [position, parameter] of parametersOf(node).entries()) {
    const fallback = part(parameter, "fallback");
    const target = part(parameter, "target");
    if (parameter.name !== null)
      declare(scopes, node, { ...made("parameter", parameter.name, parameter), position, fallback });
    else if (target)
      for (const one of namesIn(target)) {
        declare(scopes, node, {
          ...made("parameter", one.name, parameter),
          position,
          path: one.path,
          fallback: one.fallback,
        });
      }
  }
}

function declareWrite(program: Program, scopes: Scopes, write: Write): void {
  const { node } = write;
  const isLoop = node.kind === "loop";
  const isOfFunction = is(node, "hoisted") || program.dialect.scopes === "function";
  const scope = isOfFunction ? (node.owner ?? program.tree) : isLoop ? node : blockAround(node.parent);
  declare(scopes, scope, made("variable", write.name, node)).writes.push(write);
}

/** Adds an assignment to a declared name, or one that declares it. */
function addAssignment(program: Program, scopes: Scopes, write: Write): void {
  const { node, name } = write;
  const isOuterHidden = program.dialect.scopes === "function";
  for (let at: CodeNode | null = node; at !== null; at = at.parent) {
    const binding = scopes.get(at)?.get(name);
    if (binding) {
      binding.writes.push(write);
      return;
    }
    // In Python a function that assigns to a name has a variable of its own; a Ruby block shares those around it.
    const isHidden = isOuterHidden && at.kind === "function" && !is(at, "callback");
    if (isHidden && !program.sharedNames.get(at)?.includes(name)) break;
  }
  const isShared = node.owner !== null && program.sharedNames.get(node.owner)?.includes(name) === true;
  const scope = isOuterHidden && !isShared ? (node.owner ?? program.tree) : program.tree;
  declare(scopes, scope, made("variable", name, node)).writes.push(write);
}

function blockAround(node: CodeNode | null): CodeNode {
  let at = node;
  while (at?.parent) {
    if (at.kind === "function" || at.kind === "loop" || at.kind === "catch") return at;
    if (at.kind === "block") return at.parent.kind === "function" ? at.parent : at;
    at = at.parent;
  }
  return at as CodeNode;
}

const reachingMax = 4;

/**
 * Returns the writes that a use can see, the nearest first: those before it, back to one that is certain to have run.
 */
export function writesReaching(binding: Binding, use: CodeNode): Write[] {
  const others = binding.writes.filter(
    ({ node }) => !(node.start <= use.start && use.end <= node.end && node.kind === "declare"),
  );
  const isHere = ({ node }: Write): boolean => node.owner === use.owner;
  const before = others
    .filter((write) => isHere(write) && write.node.start < use.start && !isInside(use, write))
    .reverse();
  const sure = before.findIndex(({ node, value }) => value !== null && dominates(node, use) && !isStep(node));
  if (sure >= 0) {
    const loop = loopAround(use, binding.scope);
    const later = loop
      ? others.filter((write) => isHere(write) && write.node.start > use.start && write.node.end <= loop.end)
      : [];
    return [...before.slice(0, sure + 1), ...later].slice(0, reachingMax);
  }
  const rest = others.filter((write) => !before.includes(write) && !isInside(use, write));
  const all = [...before, ...rest];
  // A declaration without a value is irrelevant if a value is assigned later.
  const valued = all.filter(({ value }) => value !== null);
  return (valued.length > 0 ? valued : all).slice(0, reachingMax);
}

/** Returns the writes of a name or a field after a position that have surely run when a use is reached. */
export function replacementsOf(writes: readonly Write[], use: CodeNode, since: number): Write[] {
  return writes.filter((write) => {
    const { node, value } = write;
    const isBefore = node.owner === use.owner && node.start >= since && node.start < use.start && !isInside(use, write);
    return isBefore && value !== null && !isStep(node) && dominates(node, use);
  });
}

function isInside(use: CodeNode, { node }: Write): boolean {
  const value = part(node, "value");
  return value !== null && use.start >= value.start && use.end <= value.end;
}

/** Matches `i += 1`, where the new value depends on the old one. */
function isStep(node: CodeNode): boolean {
  return node.kind === "assign" && node.name !== "=" && node.name !== null;
}

/** Returns whether a statement has always run when the use is reached. */
function dominates(node: CodeNode, use: CodeNode): boolean {
  let block = node.parent;
  while (block && block.kind === "sequence") block = block.parent;
  if (
    !block ||
    (block.kind !== "block" && block.kind !== "module" && block.kind !== "loop" && block.kind !== "function")
  )
    return false;
  for (let at: CodeNode | null = use; at !== null; at = at.parent) if (at === block) return true;
  return false;
}

function loopAround(use: CodeNode, scope: CodeNode): CodeNode | null {
  for (let at = use.parent; at !== null && at !== scope; at = at.parent) {
    if (at.kind === "loop") return at;
    if (at.kind === "function") return null;
  }
  return null;
}
