import ts from "typescript";
import type { SourceText, Span } from "../../../source-text.ts";
import { blankOutside } from "../reading.ts";

/** A file read as JavaScript or TypeScript, with what is looked up in it by name. */
export interface Program {
  readonly source: SourceText;
  readonly tree: ts.SourceFile;
  /** Whether its code is an installed package's. */
  readonly isInstalled: boolean;
  /** Whether only stretches of it were read: what is not seen in it may be there nevertheless. */
  readonly isPart: boolean;
  readonly functions: readonly FunctionNode[];
  /** Calls and constructions by the last name of what is called. */
  readonly calls: ReadonlyMap<string, readonly CallNode[]>;
  /** Assignments and updates by the name, or the last property, that is written. */
  readonly writes: ReadonlyMap<string, readonly Write[]>;
  /** Declarations of variables, functions, classes and imports. */
  readonly declarations: readonly ts.Node[];
  /** The nodes that somebody asks for, by their kind, in the order of the text. */
  readonly nodes: ReadonlyMap<ts.SyntaxKind, readonly ts.Node[]>;
  /** The same by the function that they stand in, not counting functions inside of it; null for the module. */
  readonly owned: ReadonlyMap<FunctionNode | null, readonly ts.Node[]>;
}

/** Every function with a body of its own. */
export type FunctionNode = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };
export type CallNode = ts.CallExpression | ts.NewExpression;

/** `target = value`. */
export interface Write {
  readonly target: ts.Expression;
  readonly value: ts.Expression;
}

const scriptEndings = /\.[cm]?[jt]sx?$/;
/** Four times as deep as what anybody writes. Looking around a node costs as much as it is deep. */
const nestingMax = 400;

/** Whether a file is JavaScript or TypeScript by its name. */
export function isScript(name: string): boolean {
  return scriptEndings.test(name);
}

/**
 * Null for what is nested so deeply that nobody wrote it. A broken file is read as far as it goes; of some stretches
 * of a file nothing else is read, and what is read has its place in the whole text.
 */
export function readProgram(source: SourceText, stretches: readonly Span[] | null): Program | null {
  try {
    const tree = ts.createSourceFile(
      source.name,
      stretches ? blankOutside(source.text, stretches) : source.text,
      { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
      false,
      kindOf(source.name),
    );
    const index = indexOf(tree);
    return index && { source, tree, isInstalled: isInstalledName(source.name), isPart: stretches !== null, ...index };
  } catch (error) {
    // The parser descends as deep as the text is nested.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether a path leads into an installed package. */
export function isInstalledName(name: string): boolean {
  return `/${name}`.includes("/node_modules/");
}

function kindOf(name: string): ts.ScriptKind {
  if (/\.[cm]?ts$/.test(name)) return ts.ScriptKind.TS;
  return name.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;
}

type Index = Omit<Program, "source" | "tree" | "isInstalled" | "isPart">;

const askedFor: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.BinaryExpression,
  ts.SyntaxKind.ElementAccessExpression,
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.TypeOfExpression,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.TemplateExpression,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.PrefixUnaryExpression,
]);

const functionKinds: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.Constructor,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.SetAccessor,
]);

/** One walk through the tree for everybody; null when it is too deep. */
function indexOf(tree: ts.SourceFile): Index | null {
  const functions: FunctionNode[] = [];
  const declarations: ts.Node[] = [];
  const nodes = new Map<ts.SyntaxKind, ts.Node[]>();
  const calls = new Map<string, CallNode[]>();
  const writes = new Map<string, Write[]>();
  const owned = new Map<FunctionNode | null, ts.Node[]>();
  const isRead = visitOwned(tree, (node, owner) => {
    switch (node.kind) {
      case ts.SyntaxKind.CallExpression:
      case ts.SyntaxKind.NewExpression: {
        if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) break;
        const name = lastName(node.expression);
        if (name !== null) put(calls, name, node);
        break;
      }
      case ts.SyntaxKind.BinaryExpression: {
        if (!ts.isBinaryExpression(node)) break;
        const { operatorToken, left, right } = node;
        if (isAssignment(operatorToken.kind)) put(writes, lastName(left) ?? "", { target: left, value: right });
        break;
      }
      case ts.SyntaxKind.VariableDeclaration:
      case ts.SyntaxKind.ImportDeclaration:
      case ts.SyntaxKind.ClassDeclaration:
      case ts.SyntaxKind.ClassExpression:
        declarations.push(node);
        break;
      default:
        if (!functionKinds.has(node.kind) || !isFunction(node)) break;
        declarations.push(node);
        functions.push(node);
    }
    if (!askedFor.has(node.kind)) return;
    put(nodes, node.kind, node);
    put(owned, owner, node);
  });
  return isRead ? { functions, calls, writes, declarations, nodes, owned } : null;
}

/**
 * Every node with the function around it, in the order of the text; each learns its parent on the way. Not by recursion:
 * code can be nested deeply. False when it is nested more deeply than {@link nestingMax}.
 */
function visitOwned(root: ts.Node, each: (node: ts.Node, owner: FunctionNode | null) => void): boolean {
  const pending: ts.Node[] = [root];
  const owners: (FunctionNode | null)[] = [null];
  const depths: number[] = [0];
  const children: ts.Node[] = [];
  const collect = (child: ts.Node): void => {
    children.push(child);
  };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const owner = owners.pop() ?? null;
    const depth = (depths.pop() ?? 0) + 1;
    if (depth > nestingMax) return false;
    each(node, owner);
    const inner = functionKinds.has(node.kind) && isFunction(node) ? node : owner;
    ts.forEachChild(node, collect);
    for (let child = children.pop(); child !== undefined; child = children.pop()) {
      const orphan: { parent: ts.Node } = child;
      orphan.parent = node;
      pending.push(child);
      owners.push(inner);
      depths.push(depth);
    }
  }
  return true;
}

/** What stands in a function, or in the module, and not in a function inside of it. */
export function nodesIn<N extends ts.Node>(
  program: Program,
  owner: FunctionNode | null,
  test: (node: ts.Node) => node is N,
): N[] {
  return (program.owned.get(owner) ?? []).filter(test);
}

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

export function isFunction(node: ts.Node): node is FunctionNode {
  return functionKinds.has(node.kind) && "body" in node && node.body !== undefined;
}

/** `c` of `a.b.c`, of `a["c"]` and of `c`; null of anything else. */
export function lastName(node: ts.Node): string | null {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) return lastName(node.expression);
  // `(0, module.name)(…)`, as compilers write it.
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken
    ? lastName(node.right)
    : null;
}
