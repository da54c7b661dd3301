import ts from "typescript";
import { type FunctionNode, isFunction, lastName, type Program } from "./program.ts";

/** Keys of a property's description: the function is called by the property's name. */
const descriptorKeys: ReadonlySet<string> = new Set(["get", "set", "value"]);
const handedOnMax = 3;

/** The function around a node; the node itself does not count. */
export function functionAround(node: ts.Node): FunctionNode | null {
  for (let at = node.parent; at !== undefined; at = at.parent) if (isFunction(at)) return at;
  return null;
}

/** The name by which a developer would call the code at a node: of the nearest function around it that has one. */
export function nameAround(node: ts.Node): string | null {
  const own = isFunction(node) ? nameOf(node) : null;
  if (own !== null) return own;
  for (let at = functionAround(node); at !== null; at = functionAround(at)) {
    const name = nameOf(at);
    if (name !== null) return name;
  }
  return null;
}

/** The name of a function: its own, or that of what it is assigned to; null for a callback. */
export function nameOf(node: FunctionNode): string | null {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (ts.isMethodDeclaration(node) && ts.isObjectLiteralExpression(node.parent)) return keyOf(node, node.parent);
  if (node.name) return propertyText(node.name);
  const { parent } = node;
  if (ts.isVariableDeclaration(parent)) return ts.isIdentifier(parent.name) ? parent.name.text : null;
  if (ts.isPropertyDeclaration(parent)) return propertyText(parent.name);
  if (ts.isPropertyAssignment(parent)) return keyOf(parent, parent.parent);
  if (ts.isBinaryExpression(parent) && parent.right === node) return assignedName(parent.left);
  return ts.isCallExpression(parent) ? wrappedName(parent) : null;
}

/** `const save = once(function () {…})`: the wrapper hands the function on under the variable's name. */
function wrappedName(call: ts.CallExpression): string | null {
  let node: ts.Node = call;
  for (let depth = 0; depth < handedOnMax && ts.isCallExpression(node.parent); depth++) node = node.parent;
  const { parent } = node;
  const only = call.arguments.length === 1 && ts.isIdentifier(call.expression);
  if (!only || !ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return null;
  return parent.name.text;
}

/** In `{ host: { get() {…} } }` it is `host` that is read. */
function keyOf({ name }: ts.ObjectLiteralElementLike, object: ts.ObjectLiteralExpression): string | null {
  const own = name ? propertyText(name) : null;
  if (own === null || !descriptorKeys.has(own)) return own;
  const outer = object.parent;
  if (ts.isPropertyAssignment(outer)) return propertyText(outer.name);
  const isDefinition = ts.isCallExpression(outer) && lastName(outer.expression) === "defineProperty";
  const described = isDefinition ? outer.arguments[1] : undefined;
  return described && ts.isStringLiteralLike(described) ? described.text : own;
}

function assignedName(target: ts.Expression): string | null {
  const name = lastName(target);
  return name === "exports" ? null : name;
}

export function propertyText(name: ts.PropertyName | ts.BindingName): string | null {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
  if (ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : null;
}

const byName = new WeakMap<Program, ReadonlyMap<string, readonly FunctionNode[]>>();

/** The functions of a file that bear a name. */
export function functionsNamed(program: Program, name: string): readonly FunctionNode[] {
  const known = byName.get(program) ?? Map.groupBy(program.functions, (node) => nameOf(node) ?? "");
  byName.set(program, known);
  return known.get(name) ?? [];
}
