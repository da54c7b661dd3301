import ts from "typescript";
import type { Trait } from "../../code/ir.ts";
import type { Made, Part } from "../lower.ts";
import {
  childrenOf,
  classLike,
  type Described,
  functionLike,
  nameOrTarget,
  optional,
  type Parts,
  targetOf,
  traitsOf,
  typeName,
} from "./syntax.ts";

export function statement(node: ts.Node, tree: ts.SourceFile): Described {
  if (ts.isVariableStatement(node)) {
    const traits = traitsOf(node);
    const parts = node.declarationList.declarations.map(
      (one): Part<ts.Node> => [null, variable(one, node.declarationList, tree, traits)],
    );
    return { kind: "sequence", parts };
  }
  if (ts.isVariableDeclarationList(node))
    return { kind: "sequence", parts: node.declarations.map((one) => [null, variable(one, node, tree, [])]) };
  if (ts.isFunctionDeclaration(node)) return functionLike(node);
  if (ts.isClassDeclaration(node)) return classLike(node);
  if (ts.isReturnStatement(node)) return { kind: "return", parts: optional("value", node.expression) };
  if (ts.isThrowStatement(node)) return { kind: "throw", parts: [["value", node.expression]] };
  if (ts.isIfStatement(node))
    return {
      kind: "if",
      parts: [
        ["condition", node.expression],
        ["then", node.thenStatement],
        ...optional("otherwise", node.elseStatement),
      ],
    };
  if (ts.isBlock(node) || ts.isModuleBlock(node))
    return { kind: "block", parts: node.statements.map((one) => [null, one]) };
  if (ts.isContinueStatement(node)) return { kind: "leave", name: "continue" };
  if (ts.isBreakStatement(node)) return { kind: "leave", name: node.label?.text ?? null };
  if (ts.isTryStatement(node)) {
    const parts: Parts = [
      ["body", node.tryBlock],
      ...optional("handler", node.catchClause),
      ...optional("final", node.finallyBlock),
    ];
    return { kind: "try", parts };
  }
  return loopOrModule(node, tree);
}

function loopOrModule(node: ts.Node, tree: ts.SourceFile): Described {
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return forEach(node);
  if (ts.isForStatement(node))
    return {
      kind: "loop",
      parts: [
        ...optional(null, node.initializer),
        ...optional("condition", node.condition),
        ...optional(null, node.incrementor),
        ["body", node.statement],
      ],
    };
  if (ts.isWhileStatement(node) || ts.isDoStatement(node))
    return {
      kind: "loop",
      parts: [
        ["condition", node.expression],
        ["body", node.statement],
      ],
    };
  if (ts.isSwitchStatement(node))
    return {
      kind: "if",
      name: "switch",
      parts: [
        ["condition", node.expression],
        ["then", node.caseBlock],
      ],
    };
  if (ts.isLabeledStatement(node)) return { kind: "sequence", parts: [["value", node.statement]] };
  if (ts.isImportDeclaration(node)) return importOf(node, tree);
  if (ts.isExportDeclaration(node)) return exportOf(node, tree);
  if (ts.isExportAssignment(node)) {
    const entry: Made<ts.Node> = {
      made: { kind: "entry", name: "default", parts: [["value", node.expression]] },
      start: node.getStart(tree),
      end: node.end,
    };
    return { kind: "export", parts: [[null, entry]] };
  }
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return { kind: "other" };
  return { kind: "other", parts: childrenOf(node) };
}

function forEach(node: ts.ForOfStatement | ts.ForInStatement): Described {
  const { initializer } = node;
  const list = ts.isVariableDeclarationList(initializer) ? initializer : null;
  const target = list?.declarations[0]?.name ?? initializer;
  const isVar = list !== null && (list.flags & ts.NodeFlags.BlockScoped) === 0;
  return {
    kind: "loop",
    traits: [...(ts.isForInStatement(node) ? (["keys"] as const) : []), ...(isVar ? (["hoisted"] as const) : [])],
    parts: [
      ["target", target],
      ["over", node.expression],
      ["body", node.statement],
    ],
  };
}

function importOf(node: ts.ImportDeclaration, tree: ts.SourceFile): Described {
  const { importClause: clause, moduleSpecifier } = node;
  const specifier = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : null;
  const named = clause?.namedBindings;
  const parts: Part<ts.Node>[] = [];
  if (clause?.name) parts.push([null, naming("default", clause.name, tree)]);
  if (named && ts.isNamespaceImport(named)) parts.push([null, naming("*", named.name, tree)]);
  else if (named)
    for (const one of named.elements) parts.push([null, naming((one.propertyName ?? one.name).text, one.name, tree)]);
  const isOfTypes = clause?.isTypeOnly === true || (clause !== undefined && !clause.name && areTypes(named));
  return { kind: "import", name: specifier, traits: isOfTypes ? ["erased"] : [], parts };
}

/** Returns whether every name is marked as a type: compilers leave out such an import, or load the file for nothing. */
function areTypes(named: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (!named || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return false;
  return named.elements.length > 0 && named.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function exportOf(node: ts.ExportDeclaration, tree: ts.SourceFile): Described {
  const { exportClause: clause, moduleSpecifier } = node;
  const name = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : null;
  const erased: readonly Trait[] = node.isTypeOnly || areTypes(clause) ? ["erased"] : [];
  if (!clause) return { kind: "export", name, traits: ["star", ...erased] };
  if (ts.isNamespaceExport(clause))
    return {
      kind: "export",
      name,
      traits: ["star", ...erased],
      parts: [[null, naming(clause.name.text, clause.name, tree)]],
    };
  const parts = clause.elements.map(
    (one): Part<ts.Node> => [null, naming(one.name.text, one.propertyName ?? one.name, tree)],
  );
  return { kind: "export", name, traits: erased, parts };
}

/** An entry with a name, and the name that it refers to. */
function naming(name: string, local: ts.Node, tree: ts.SourceFile): Made<ts.Node> {
  const parts: Parts = [["value", local]];
  return { made: { kind: "entry", name, parts }, start: local.getStart(tree), end: local.end };
}

function variable(
  node: ts.VariableDeclaration,
  list: ts.VariableDeclarationList,
  tree: ts.SourceFile,
  modifiers: readonly Trait[],
): Made<ts.Node> {
  const traits: Trait[] = [...modifiers, (list.flags & ts.NodeFlags.BlockScoped) === 0 ? "hoisted" : "local"];
  if ((list.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using) traits.push("disposed");
  return {
    made: {
      kind: "declare",
      ...nameOrTarget(node.name),
      type: typeName(node.type),
      traits,
      parts: [...targetOf(node.name), ...optional("value", node.initializer)],
    },
    start: node.getStart(tree),
    end: node.end,
  };
}
