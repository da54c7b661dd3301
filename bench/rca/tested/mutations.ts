import { parserOf } from "@whence/engine/testing";
import { lineAt, type Mutation, pick, type TextEdit } from "../mutate/mutation.ts";
import type { FunctionIndex, NamedFunction } from "../mutate/operators/functions.ts";
import { type Grammar, grammars, type TestedLanguage } from "./grammars.ts";

/** A node of a tree-sitter tree; offsets are in characters. */
type SyntaxNode = NonNullable<ReturnType<Awaited<ReturnType<typeof parserOf>>["parse"]>>["rootNode"];

/** What can be wrong with a file, and its functions. */
export interface MutableFile {
  readonly mutations: readonly Mutation[];
  readonly functions: FunctionIndex;
}

/** A node, its file, and the function around it. */
interface Place {
  readonly node: SyntaxNode;
  readonly text: string;
  readonly grammar: Grammar;
  readonly around: SyntaxNode | undefined;
}

type Operator = (place: Place) => readonly TextEdit[];

const releases = /\.(?:close|unlock|release|flush|stop|rollback|done|delete|remove|shutdown)\(?/i;
const stores = /\.(?:add|append|push|put|set|store|insert|register|write)\w*\(/i;
/** A mistake is small: one that spans more lines is another program. */
const linesMax = 8;
const guardStatementsMax = 3;

/** Returns every mutation of the functions in a file. */
export async function mutableFile(language: TestedLanguage, text: string): Promise<MutableFile> {
  const grammar = grammars[language];
  const parser = await parserOf(`tree-sitter-${grammar.name}.wasm`);
  const tree = parser.parse(text);
  if (!tree) return { mutations: [], functions: indexOf([], text) };
  const mutations: Mutation[] = [];
  const functions: SyntaxNode[] = [];
  const visit = (node: SyntaxNode, outer: SyntaxNode | undefined): void => {
    const isFunction = isOne(grammar.functions, node);
    if (isFunction) functions.push(node);
    const around = isFunction ? node : outer;
    if (around)
      for (const [operator, edits] of editsAt({ node, text, grammar, around }))
        for (const edit of edits) mutations.push({ operator, edits: [edit] });
    for (const child of node.namedChildren) if (child) visit(child, around);
  };
  visit(tree.rootNode, undefined);
  const functionIndex = indexOf(functions, text);
  tree.delete();
  return { mutations, functions: functionIndex };
}

function editsAt(place: Place): [string, readonly TextEdit[]][] {
  return Object.entries(operators).map(([name, operator]) => [name, operator(place)]);
}

/** The kinds of mistakes, each with what it replaces at a node. */
const operators: Readonly<Record<string, Operator>> = {
  "drop-guard": ({ node, grammar }) => (isGuard(node, grammar) ? [replaced(node, "")] : []),

  "negate-condition": ({ node, grammar }) => {
    const condition = isOne(grammar.conditionals, node) ? node.childForFieldName("condition") : null;
    return condition ? [replaced(condition, grammar.negated(condition.text))] : [];
  },

  "return-nothing": ({ node, grammar }) => {
    if (!isOne(grammar.returns, node)) return [];
    const list = node.namedChildren[0];
    const value = list && /list$/.test(list.type) ? list.namedChildren[0] : list;
    return value && value.text !== grammar.nothing ? [replaced(value, grammar.nothing)] : [];
  },

  "off-by-one": ({ node, grammar }) => {
    if (isOne(grammar.integers, node) && /^\d{1,3}$/.test(node.text)) {
      const value = Number(node.text);
      return [replaced(node, String(value === 0 ? 1 : value - 1))];
    }
    const sign = operatorOf(node, grammar);
    const other = sign && bounds[sign.text];
    return sign && other ? [replaced(sign, other)] : [];
  },

  "wrong-operator": ({ node, grammar }) => {
    const sign = operatorOf(node, grammar);
    const other = sign && confused[sign.text];
    return sign && other ? [replaced(sign, other)] : [];
  },

  "swap-arguments": ({ node, text, grammar }) => {
    const [first, second] = isOne(grammar.argumentLists, node) ? node.namedChildren : [];
    if (!first || !second || first.text === second.text || !isOne(grammar.identifiers, first)) return [];
    const between = text.slice(first.endIndex, second.startIndex);
    return [{ start: first.startIndex, end: second.endIndex, text: second.text + between + first.text }];
  },

  "wrong-key": ({ node, grammar }) => {
    const isKey = node.parent && (isOne(grammar.lookups, node.parent) || isOne(grammar.elements, node.parent.parent));
    const isFirst = node.parent?.type === "argument_list" && node.parent.namedChildren[0]?.equals(node);
    const word = /[A-Za-z][\w-]{2,30}/.exec(node.text)?.[0];
    if (!isOne(grammar.strings, node) || !(isKey || isFirst) || word === undefined) return [];
    return /^"[\w-]+"$/.test(node.text) ? [replaced(node, node.text.replace(word, misspelt(word)))] : [];
  },

  "wrong-variable": ({ node, grammar, around }) => {
    const isArgument = node.parent !== null && isOne(grammar.argumentLists, node.parent);
    if (!isArgument || !isOne(grammar.identifiers, node)) return [];
    const others = parametersOf(around, grammar).filter((name) => name !== node.text);
    const other = pick(others, `${node.text} ${node.startIndex}`);
    return other === undefined ? [] : [replaced(node, other)];
  },

  "drop-field": ({ node, text, grammar }) => {
    if (!isOne(grammar.elements, node)) return [];
    const comma = /^\s*,[^\S\n]*/.exec(text.slice(node.endIndex))?.[0] ?? "";
    return [{ start: node.startIndex, end: node.endIndex + comma.length, text: "" }];
  },

  "missing-release": ({ node, grammar }) =>
    isStatement(node, grammar) && releases.test(node.text) ? [replaced(node, "")] : [],

  "missing-store": ({ node, grammar }) => {
    const isStore = stores.test(node.text) || /^[^=\n]*\.[\w.]+\s*=[^=]/.test(node.text);
    return isStatement(node, grammar) && isStore ? [replaced(node, "")] : [];
  },
};

const bounds: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const confused: Readonly<Record<string, string>> = {
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "==": "!=",
  "!=": "==",
  "%": "/",
};

const isOne = (types: readonly string[], node: SyntaxNode | null): boolean =>
  node !== null && types.includes(node.type);

function replaced({ startIndex: start, endIndex: end }: SyntaxNode, text: string): TextEdit {
  return { start, end, text };
}

/** Whether a conditional without an alternative leaves: what follows relies on it. */
function isGuard(node: SyntaxNode, grammar: Grammar): boolean {
  if (!isOne(grammar.conditionals, node) || node.childForFieldName("alternative") || isBranch(node)) return false;
  if (node.text.split("\n").length > linesMax) return false;
  const body = node.childForFieldName("consequence") ?? node.childForFieldName("body");
  const statements = body ? statementsOf(body) : [];
  return statements.length <= guardStatementsMax && grammar.leaves.test(statements.at(-1)?.text ?? "");
}

/** Whether a node is the `else if` of another. */
function isBranch({ parent, type }: SyntaxNode): boolean {
  return parent?.type === type;
}

const isBlock = ({ type }: SyntaxNode): boolean => /^(?:block|statement_list)$/.test(type);

function statementsOf(body: SyntaxNode): SyntaxNode[] {
  return isBlock(body) ? body.namedChildren.flatMap((child) => (child ? statementsOf(child) : [])) : [body];
}

/** Whether a node is a statement of its own, on one line. */
function isStatement({ type, parent, text }: SyntaxNode, grammar: Grammar): boolean {
  const isAlone = parent !== null && isBlock(parent);
  return grammar.statements.includes(type) && isAlone && !text.includes("\n");
}

function operatorOf(node: SyntaxNode, grammar: Grammar): SyntaxNode | null {
  return isOne(grammar.binaries, node) ? node.childForFieldName("operator") : null;
}

function parametersOf(around: SyntaxNode | undefined, grammar: Grammar): string[] {
  const list = around?.childForFieldName("parameters") ?? null;
  if (!list || !isOne(grammar.parameterLists, list)) return [];
  return list.namedChildren.flatMap((one) => {
    if (!one) return [];
    const names = isOne(grammar.identifiers, one) ? [one] : one.childrenForFieldName("name");
    return names.flatMap((name) => (name ? [name.text] : []));
  });
}

function misspelt(word: string): string {
  const other = word.endsWith("s") ? word.slice(0, -1) : `${word}s`;
  return pick([other, word.slice(0, -2) + word.slice(-1), word.toLowerCase(), word.toUpperCase()], word) ?? other;
}

function indexOf(nodes: readonly SyntaxNode[], text: string): FunctionIndex {
  const functions = nodes.map((node) => ({ start: node.startIndex, end: node.endIndex, ...namedFunction(node, text) }));
  return {
    atOffset: (offset) => functions.findLast(({ start, end }) => start <= offset && offset < end),
    atLine: (line) => functions.findLast(({ lineStart, lineEnd }) => lineStart <= line && line <= lineEnd),
  };
}

function namedFunction(node: SyntaxNode, text: string): NamedFunction {
  return {
    name: node.childForFieldName("name")?.text ?? "",
    lineStart: lineAt(text, node.startIndex),
    lineEnd: lineAt(text, node.endIndex),
  };
}
