import { posix } from "node:path";
import ts from "typescript";
import { readRepositoryFile } from "./repository-files.ts";

/** An import, a re-export, or an `import()` in a file. */
export interface Import {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** The specifier as written. */
  readonly specifier: string;
  /** The imported file: a path from the repository's root for a relative specifier, otherwise the specifier. */
  readonly target: string;
  /** The names imported as values; empty for imports erased at run time, `["*"]` when all of it may be used. */
  readonly values: readonly string[];
}

/** A place in a file that a rule may reject. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** What the repository's rules check in a TypeScript file. */
export interface Syntax {
  readonly imports: readonly Import[];
  /** Reads of `process.env`. */
  readonly environmentReads: readonly Place[];
  /** Casts to `any`. */
  readonly anyCasts: readonly Place[];
  /** Spreads of a literal into another, which could have its elements. */
  readonly literalSpreads: readonly Place[];
  /** Tests that are skipped, focused, or marked as to do. */
  readonly heldBackTests: readonly Place[];
}

const known = new Map<string, Syntax>();

/** Parses a file, by its path from the root, with TypeScript's parser: once, as each rule reads every file. */
export function readSyntax(file: string): Syntax {
  const before = known.get(file);
  if (before) return before;
  const syntax = parseSyntax(file, readRepositoryFile(file));
  known.set(file, syntax);
  return syntax;
}

/** Parses `text` as the content of `file`. */
export function parseSyntax(file: string, text: string): Syntax {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = { imports: [] as Import[], environmentReads: [] as Place[], anyCasts: [] as Place[] };
  const heldBackTests: Place[] = [];
  const literalSpreads: Place[] = [];
  const placeOf = (node: ts.Node): Place => ({
    file,
    line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
  });

  const visit = (node: ts.Node): void => {
    const imported = importOf(node);
    if (imported) found.imports.push({ ...placeOf(node), ...imported, target: resolve(file, imported.specifier) });
    if (readsEnvironment(node)) found.environmentReads.push(placeOf(node));
    if (ts.isAsExpression(node) && node.type.kind === ts.SyntaxKind.AnyKeyword) found.anyCasts.push(placeOf(node));
    if (holdsBackTest(node)) heldBackTests.push(placeOf(node));
    if (spreadsLiteral(node)) literalSpreads.push(placeOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { ...found, heldBackTests, literalSpreads };
}

function spreadsLiteral(node: ts.Node): boolean {
  return (
    (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)) ||
    (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
  );
}

function resolve(file: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier;
}

function importOf(node: ts.Node): Pick<Import, "specifier" | "values"> | undefined {
  if (ts.isImportDeclaration(node)) return { specifier: textOf(node.moduleSpecifier), values: importedValues(node) };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: textOf(node.moduleSpecifier), values: exportedValues(node) };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: textOf(node.argument.literal), values: [] };
  }
  if (ts.isCallExpression(node) && isLoading(node.expression) && node.arguments[0]) {
    const specifier = textOf(node.arguments[0]);
    return specifier === "" ? undefined : { specifier, values: ["*"] };
  }
  return undefined;
}

function isLoading(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function importedValues({ importClause: clause }: ts.ImportDeclaration): string[] {
  if (!clause) return ["*"];
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const { name, namedBindings: bindings } = clause;
  const named = bindings ? (ts.isNamespaceImport(bindings) ? ["*"] : namesOf(bindings.elements)) : [];
  return name ? ["default", ...named] : named;
}

function exportedValues({ isTypeOnly, exportClause: clause }: ts.ExportDeclaration): string[] {
  if (isTypeOnly) return [];
  return clause && ts.isNamedExports(clause) ? namesOf(clause.elements) : ["*"];
}

function namesOf(elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): string[] {
  return elements.filter((element) => !element.isTypeOnly).map(({ propertyName, name }) => (propertyName ?? name).text);
}

function readsEnvironment(node: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === "env" &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === "process"
  );
}

const testFunctions = new Set(["it", "test", "describe", "suite"]);
const holding = new Set(["skip", "only", "todo", "skipIf", "runIf", "fails"]);

function holdsBackTest(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !holding.has(node.name.text)) return false;
  let target = node.expression;
  while (ts.isPropertyAccessExpression(target)) target = target.expression;
  return ts.isIdentifier(target) && testFunctions.has(target.text);
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : "";
}
