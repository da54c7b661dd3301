import ts from "typescript";
import { propertyText } from "./functions.ts";
import { type FunctionNode, isFunction, lastName, type Program } from "./program.ts";

/** Stands in a path for a key that is computed. */
export const anyKey = "*";

/** What a name stands for where it is used. `path` is what is taken out of the value, outermost first. */
export type Binding =
  | {
      readonly kind: "parameter";
      readonly node: ts.Node;
      readonly owner: FunctionNode;
      readonly position: number;
      readonly path: readonly string[];
      readonly fallback: ts.Expression | null;
    }
  | {
      readonly kind: "variable" | "iteration";
      readonly node: ts.Node;
      /** Null for a variable that is declared without a value. */
      readonly value: ts.Expression | null;
      readonly path: readonly string[];
      readonly fallback: ts.Expression | null;
    }
  | { readonly kind: "function"; readonly node: FunctionNode }
  | { readonly kind: "class"; readonly node: ts.ClassLikeDeclaration }
  | { readonly kind: "import"; readonly node: ts.Node; readonly specifier: string; readonly exported: string }
  | { readonly kind: "caught"; readonly node: ts.Node };

/** Writes to one name in one file that are looked at. */
const writesMax = 500;

type Scope = Map<string, Binding>;

const scopesOf = new WeakMap<ts.SourceFile, Map<ts.Node, Scope>>();

/** What a name means at a node, or null when it is declared nowhere in this file. */
export function findBinding(program: Program, name: string, at: ts.Node): Binding | null {
  const scopes = scopesIn(program);
  for (let node: ts.Node | undefined = at; node !== undefined; node = node.parent) {
    const binding = scopes.get(node)?.get(name);
    if (binding) return binding;
  }
  return null;
}

/** Values that are assigned to a name after its declaration. */
export function assignmentsTo(program: Program, name: string, binding: Binding): ts.Expression[] {
  return (program.writes.get(name) ?? [])
    .slice(0, writesMax)
    .filter(
      ({ target, value }) =>
        !isStep(target, value) && ts.isIdentifier(target) && findBinding(program, name, target) === binding,
    )
    .map(({ value }) => value);
}

/** `i += 1`: a counter goes on from where it was. */
function isStep({ parent }: ts.Node, value: ts.Expression): boolean {
  return (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken &&
    ts.isNumericLiteral(value)
  );
}

function scopesIn({ tree, declarations }: Program): Map<ts.Node, Scope> {
  const known = scopesOf.get(tree);
  if (known) return known;
  const scopes = new Map<ts.Node, Scope>();
  const declare = (scope: ts.Node, name: string, binding: Binding): void => {
    const names = scopes.get(scope) ?? new Map<string, Binding>();
    // Of several declarations the first is kept, as long as it has a value.
    if (!names.has(name)) names.set(name, binding);
    scopes.set(scope, names);
  };
  for (const node of declarations) declareIn(node, declare);
  scopesOf.set(tree, scopes);
  return scopes;
}

type Declare = (scope: ts.Node, name: string, binding: Binding) => void;

function declareIn(node: ts.Node, declare: Declare): void {
  if (ts.isVariableDeclaration(node)) declareVariable(node, declare);
  else if (ts.isImportDeclaration(node)) declareImport(node, declare);
  else if (ts.isClassLike(node) && node.name) {
    declare(ts.isClassDeclaration(node) ? blockAround(node) : node, node.name.text, { kind: "class", node });
  }
  if (!isFunction(node)) return;
  if (node.name && ts.isIdentifier(node.name) && !ts.isMethodDeclaration(node)) {
    const scope = ts.isFunctionDeclaration(node) ? blockAround(node) : node;
    if (!ts.isAccessor(node)) declare(scope, node.name.text, { kind: "function", node });
  }
  for (const [position, parameter] of node.parameters.entries()) {
    const base = { kind: "parameter", owner: node, position } as const;
    bindNames(parameter.name, [], parameter.initializer ?? null, (name, path, fallback) =>
      declare(node, name, { ...base, node: parameter, path, fallback }),
    );
  }
}

function declareVariable(node: ts.VariableDeclaration, declare: Declare): void {
  const list = node.parent;
  if (ts.isCatchClause(list)) {
    bindNames(node.name, [], null, (name) => declare(list, name, { kind: "caught", node }));
    return;
  }
  const isVar = (list.flags & ts.NodeFlags.BlockScoped) === 0;
  const loop = list.parent;
  const isLoop = ts.isForOfStatement(loop) || ts.isForInStatement(loop);
  const isFor = isLoop || ts.isForStatement(loop);
  const scope = isVar ? functionScope(node) : isFor ? loop : blockAround(node);
  const value = isLoop ? loop.expression : (node.initializer ?? null);
  bindNames(node.name, [], null, (name, path, fallback) =>
    declare(scope, name, { kind: isLoop ? "iteration" : "variable", node, value, path, fallback }),
  );
}

function declareImport(node: ts.ImportDeclaration, declare: Declare): void {
  const { importClause: clause, moduleSpecifier } = node;
  if (!clause || !ts.isStringLiteral(moduleSpecifier)) return;
  const scope = node.getSourceFile();
  const specifier = moduleSpecifier.text;
  const add = (name: ts.Identifier, exported: string): void =>
    declare(scope, name.text, { kind: "import", node, specifier, exported });
  if (clause.name) add(clause.name, "default");
  const named = clause.namedBindings;
  if (named && ts.isNamespaceImport(named)) add(named.name, "*");
  else if (named) for (const one of named.elements) add(one.name, (one.propertyName ?? one.name).text);
}

type Bound = (name: string, path: readonly string[], fallback: ts.Expression | null) => void;

/** Every name in a pattern, with the way to it. */
function bindNames(name: ts.BindingName, path: readonly string[], fallback: ts.Expression | null, bound: Bound): void {
  if (ts.isIdentifier(name)) {
    bound(name.text, path, fallback);
    return;
  }
  for (const [index, element] of name.elements.entries()) {
    if (ts.isOmittedExpression(element)) continue;
    const key = ts.isArrayBindingPattern(name)
      ? String(index)
      : (propertyText(element.propertyName ?? element.name) ?? anyKey);
    const inner = element.dotDotDotToken ? path : [...path, key];
    bindNames(element.name, inner, element.initializer ?? null, bound);
  }
}

function functionScope(node: ts.Node): ts.Node {
  for (let at = node.parent; at !== undefined; at = at.parent) if (isFunction(at) || ts.isSourceFile(at)) return at;
  return node.getSourceFile();
}

function blockAround(node: ts.Node): ts.Node {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const isBody = ts.isBlock(at) && isFunction(at.parent);
    if (isBody) return at.parent;
    if (ts.isBlock(at) || ts.isSourceFile(at) || ts.isCaseBlock(at) || ts.isModuleBlock(at)) return at;
  }
  return node.getSourceFile();
}

/** The class, or the constructor function with its prototype, that `this` is an instance of at a node. */
export function classAround(node: ts.Node): ts.ClassLikeDeclaration | null {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isClassLike(at)) return at;
    if (ts.isFunctionDeclaration(at) || ts.isObjectLiteralExpression(at)) return null;
  }
  return null;
}

/** `this.name = value` in a class, or in the whole file when there is none. */
export function memberWrites(program: Program, name: string, owner: ts.Node | null): ts.Expression[] {
  const start = owner?.pos ?? 0;
  const end = owner?.end ?? program.tree.end;
  return (program.writes.get(name) ?? [])
    .slice(0, writesMax)
    .filter(
      ({ target }) =>
        target.pos >= start && target.end <= end && receiverOf(target)?.kind === ts.SyntaxKind.ThisKeyword,
    )
    .map(({ value }) => value);
}

/** `a.b` of `a.b.c`. */
export function receiverOf(node: ts.Node): ts.Expression | null {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? node.expression : null;
}

/** Values of `receiver.name = value` for the same receiver. */
export function propertyWrites(program: Program, name: string, receiver: ts.Expression): ts.Expression[] {
  const wanted = receiver.getText(program.tree);
  return (program.writes.get(name) ?? []).slice(0, writesMax).flatMap(({ target, value }) => {
    const on = receiverOf(target);
    return on && lastName(target) === name && on.getText(program.tree) === wanted ? [value] : [];
  });
}
