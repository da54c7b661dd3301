import ts from "typescript";
import type { SourceText } from "../../../source-text.ts";
import { type FunctionNode, isFunction, isScript, lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";

/** What a module gives under a name: an expression, a declaration, or what another module gives. */
export type Exported =
  | {
      readonly kind: "node";
      readonly program: Program;
      readonly node: ts.Expression | FunctionNode | ts.ClassLikeDeclaration;
    }
  | { readonly kind: "name"; readonly program: Program; readonly name: string; readonly at: ts.Node }
  | { readonly kind: "data"; readonly source: SourceText };

interface Exports {
  readonly named: ReadonlyMap<string, Local>;
  /** `export * from` */
  readonly stars: readonly string[];
}

type Local =
  | { readonly kind: "node"; readonly node: ts.Expression | FunctionNode | ts.ClassLikeDeclaration }
  | { readonly kind: "name"; readonly name: string; readonly at: ts.Node }
  | { readonly kind: "from"; readonly specifier: string; readonly name: string };

/** Modules may hand a name on in a circle. */
const handedOnMax = 6;
const exportsOf = new WeakMap<Program, Exports>();

/** What a module that is imported in `from` gives under a name. `*` and `default` of CommonJS are `module.exports`. */
export function findExport(
  programs: Programs,
  from: Program,
  specifier: string,
  name: string,
  depth = 0,
): Exported | null {
  const source = programs.files.resolve(from.source.name, specifier);
  if (!source || depth > handedOnMax) return null;
  if (!isScript(source.name)) return { kind: "data", source };
  const program = programs.of(source);
  if (!program) return null;
  const { named, stars } = readExports(program);
  const local = named.get(name) ?? (name === "*" || name === "default" ? named.get("default") : undefined);
  if (local?.kind === "from") return findExport(programs, program, local.specifier, local.name, depth + 1);
  if (local) return { ...local, program };
  const viaWhole = memberOfDefault(programs, program, named.get("default"), name, depth);
  if (viaWhole) return viaWhole;
  for (const star of stars) {
    const found = findExport(programs, program, star, name, depth + 1);
    if (found) return found;
  }
  return null;
}

/** The names that a module gives, when all of them are known: no `export *`, nothing computed, the whole file read. */
export function exportedNames(program: Program): ReadonlySet<string> | null {
  if (program.isPart) return null;
  const { named, stars } = readExports(program);
  const whole = named.get("default");
  if (stars.length > 0) return null;
  if (whole?.kind !== "node" || !ts.isObjectLiteralExpression(whole.node)) {
    return named.size > 0 && !named.has("default") ? new Set(named.keys()) : null;
  }
  if (whole.node.properties.some((property) => ts.isSpreadAssignment(property))) return null;
  const keys = whole.node.properties.flatMap(({ name }) => (name ? [name.getText(program.tree)] : []));
  return new Set([...keys, ...named.keys()]);
}

/** `module.exports = require("./lib")`, and `module.exports = { name }` that was not listed. */
function memberOfDefault(
  programs: Programs,
  program: Program,
  whole: Local | undefined,
  name: string,
  depth: number,
): Exported | null {
  if (whole?.kind !== "node" || name === "default" || name === "*") return null;
  const specifier = requiredSpecifier(whole.node);
  return specifier === null ? null : findExport(programs, program, specifier, name, depth + 1);
}

/** The module of `require("./x")`, and of `interop(require("./x"))`. */
export function requiredSpecifier(node: ts.Node): string | null {
  if (!ts.isCallExpression(node)) return null;
  const [first] = node.arguments;
  if (!first) return null;
  if (ts.isIdentifier(node.expression) && node.expression.text === "require")
    return ts.isStringLiteralLike(first) ? first.text : null;
  const isInterop = ts.isIdentifier(node.expression) && /^_*(?:interop|import)/.test(node.expression.text);
  return isInterop ? requiredSpecifier(first) : null;
}

function readExports(program: Program): Exports {
  const known = exportsOf.get(program);
  if (known) return known;
  const named = new Map<string, Local>();
  const stars: string[] = [];
  for (const statement of program.tree.statements) readStatement(statement, named, stars);
  for (const writes of program.writes.values()) {
    for (const { target, value } of writes) readAssignment(target, value, named);
  }
  const read = { named, stars };
  exportsOf.set(program, read);
  return read;
}

function readStatement(statement: ts.Statement, named: Map<string, Local>, stars: string[]): void {
  if (ts.isExportDeclaration(statement)) readExportList(statement, named, stars);
  else if (ts.isExportAssignment(statement)) named.set("default", localOf(statement.expression));
  else if (isExported(statement)) {
    const isDefault = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) named.set(name.text, { kind: "name", name: name.text, at: statement });
      }
    } else if ((ts.isFunctionDeclaration(statement) && isFunction(statement)) || ts.isClassDeclaration(statement)) {
      named.set(isDefault ? "default" : (statement.name?.text ?? "default"), { kind: "node", node: statement });
    }
  }
}

function isExported(node: ts.Statement): node is ts.Statement & ts.HasModifiers {
  if (!ts.canHaveModifiers(node)) return false;
  return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function readExportList(statement: ts.ExportDeclaration, named: Map<string, Local>, stars: string[]): void {
  const from =
    statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : null;
  const clause = statement.exportClause;
  if (!clause) {
    if (from !== null) stars.push(from);
  } else if (ts.isNamespaceExport(clause)) {
    if (from !== null) named.set(clause.name.text, { kind: "from", specifier: from, name: "*" });
  } else {
    for (const { name, propertyName } of clause.elements) {
      const local = (propertyName ?? name).text;
      named.set(
        name.text,
        from === null ? { kind: "name", name: local, at: statement } : { kind: "from", specifier: from, name: local },
      );
    }
  }
}

/** `exports.a = …`, `module.exports = …`, `module.exports.a = …`. */
function readAssignment(target: ts.Expression, value: ts.Expression, named: Map<string, Local>): void {
  if (!isOfExports(target)) return;
  const text = target.getText();
  if (text === "module.exports" || text === "exports") {
    named.set("default", localOf(value));
    if (ts.isObjectLiteralExpression(value)) readObject(value, named);
    return;
  }
  const name = lastName(target);
  if (name === null || !/^(?:module\.)?exports[.[]/.test(text)) return;
  if (text === `exports.${name}` || text === `module.exports.${name}` || ts.isElementAccessExpression(target)) {
    // `exports.a = exports.b = void 0`, as compilers begin.
    if (!ts.isVoidExpression(value) && !(named.has(name) && ts.isBinaryExpression(value)))
      named.set(name, localOf(value));
  }
}

/** Whether it begins with `exports` or `module`: its text is long to read. */
function isOfExports(target: ts.Expression): boolean {
  let node: ts.Expression = target;
  for (let depth = 0; depth < 3 && (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)); depth++)
    node = node.expression;
  return ts.isIdentifier(node) && (node.text === "exports" || node.text === "module");
}

function readObject(object: ts.ObjectLiteralExpression, named: Map<string, Local>): void {
  for (const property of object.properties) {
    if (ts.isShorthandPropertyAssignment(property)) {
      named.set(property.name.text, { kind: "name", name: property.name.text, at: property });
    } else if (ts.isPropertyAssignment(property) && ts.isIdentifier(property.name)) {
      named.set(property.name.text, localOf(property.initializer));
    } else if (ts.isMethodDeclaration(property) && ts.isIdentifier(property.name) && isFunction(property)) {
      named.set(property.name.text, { kind: "node", node: property });
    }
  }
}

function localOf(node: ts.Expression): Local {
  if (ts.isIdentifier(node)) return { kind: "name", name: node.text, at: node };
  const specifier = requiredSpecifier(node);
  return specifier === null ? { kind: "node", node } : { kind: "from", specifier, name: "default" };
}
