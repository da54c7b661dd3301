import ts from "typescript";
import { findBinding, receiverOf } from "./bindings.ts";
import { specifierOf } from "./calls.ts";
import { plain, valueOfKey } from "./expressions.ts";
import { findExport } from "./modules.ts";
import { isFunction, lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";

/** What a text is made of: the pieces that are written out, in order; between them stands what was put in. */
export type MessageTemplate = readonly string[];

/** Constants lead to constants, sums to sums. */
const depthMax = 4;
const partsMax = 40;
/** `%s` of `util.format`, `{name}`, `{{name}}`, `:name` and `${name}` of tables of messages. */
const placeholder = /%[sdifjoOc]|\{\{? ?[\w.]{0,40} ?\}?\}|\$\{[\w.]{1,40}\}/;
/** Calls that look a message up by its key. */
const translating = /^(?:t|tr|translate|__|i18n|message|msg|getMessage|formatMessage)$/;

/** How a text is put together at an expression; null when nothing of it is written out. */
export function templateOf(
  programs: Programs,
  program: Program,
  expression: ts.Expression,
  depth = 0,
): MessageTemplate | null {
  const { node } = plain(expression);
  if (depth > depthMax) return null;
  if (ts.isStringLiteralLike(node)) return node.text.split(placeholder).slice(0, partsMax);
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].slice(0, partsMax);
  const inner = (one: ts.Expression, within = program): MessageTemplate | null =>
    templateOf(programs, within, one, depth + 1);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined(inner(node.left), inner(node.right));
  if (ts.isCallExpression(node)) return templateOfCall(programs, program, node, inner);
  const constant = constantOf(programs, program, node);
  return constant && inner(constant.node, constant.program);
}

/** `a + b`: the last piece of the one goes over into the first of the other. */
function joined(left: MessageTemplate | null, right: MessageTemplate | null): MessageTemplate | null {
  if (!left && !right) return null;
  const [before, after] = [left ?? ["", ""], right ?? ["", ""]];
  const middle = `${before.at(-1) ?? ""}${after[0] ?? ""}`;
  return [...before.slice(0, -1), middle, ...after.slice(1)].slice(0, partsMax);
}

type Inner = (one: ts.Expression) => MessageTemplate | null;

/** `format("…%s", x)`, `["…", x].join(" ")`, `t("key")`, `MESSAGES.missing(x)`. */
function templateOfCall(
  programs: Programs,
  program: Program,
  call: ts.CallExpression,
  inner: Inner,
): MessageTemplate | null {
  const [first] = call.arguments;
  const name = lastName(call.expression) ?? "";
  const receiver = receiverOf(call.expression);
  if (name === "join" && receiver && ts.isArrayLiteralExpression(receiver)) {
    const parts = receiver.elements.map((element) => inner(element));
    const gap = first && ts.isStringLiteralLike(first) ? first.text : ",";
    return parts.reduce((before, part, index) => (index === 0 ? part : joined(joined(before, [gap]), part)), null);
  }
  if (first && ts.isStringLiteralLike(first) && translating.test(name)) {
    const found = messageOfKey(programs, first.text);
    if (found !== null) return found.split(placeholder).slice(0, partsMax);
  }
  if (first && /^(?:format|sprintf|vsprintf|printf|inspect|concat|replace|trim)$/.test(name))
    return inner(first) ?? (receiver && inner(receiver));
  // A table of messages may hold functions.
  const made = constantOf(programs, program, call.expression);
  return made && isFunction(made.node) && !ts.isBlock(made.node.body)
    ? templateOf(programs, made.program, made.node.body, depthMax)
    : null;
}

/** The text that stands under a key in a table, in a data file. */
function messageOfKey(programs: Programs, key: string): string | null {
  const last = key.split(/[.:]/).at(-1) ?? key;
  for (const { name, text } of programs.files.all) {
    if (!name.endsWith(".json")) continue;
    const at = [key, last].map((one) => text.indexOf(`"${one}"`)).find((position) => position >= 0);
    const value =
      at === undefined
        ? null
        : /^"[^"\n]{1,200}"\s{0,4}:\s{0,4}("(?:[^"\\\n]|\\.){0,500}")/.exec(text.slice(at, at + 800));
    if (value?.[1] !== undefined) return unquoted(value[1]);
  }
  return null;
}

function unquoted(json: string): string | null {
  try {
    const text: unknown = JSON.parse(json);
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}

interface Constant {
  readonly program: Program;
  readonly node: ts.Expression;
}

/** What a name or a member of an object stands for: a constant of this file or of one that is imported. */
function constantOf(programs: Programs, program: Program, node: ts.Expression): Constant | null {
  if (ts.isIdentifier(node)) return constantNamed(programs, program, node, node.text);
  const receiver = receiverOf(node);
  const key = lastName(node);
  if (!receiver || key === null) return null;
  const table = constantOf(programs, program, receiver);
  const object = table && plain(table.node).node;
  if (object && ts.isCallExpression(object) && lastName(object.expression) === "freeze" && object.arguments[0])
    return memberOf(table.program, plain(object.arguments[0]).node, key);
  return object ? memberOf(table.program, object, key) : importedMember(programs, program, receiver, key);
}

function memberOf(program: Program, object: ts.Expression, key: string): Constant | null {
  const value = ts.isObjectLiteralExpression(object) ? valueOfKey(object, key) : null;
  return value && ts.isExpression(value) ? { program, node: value } : null;
}

function constantNamed(programs: Programs, program: Program, at: ts.Node, name: string): Constant | null {
  const binding = findBinding(program, name, at);
  const specifier = binding && specifierOf(binding);
  if (specifier) return exported(programs, program, specifier.from, specifier.path[0] ?? specifier.exported);
  return binding?.kind === "variable" && binding.value && binding.path.length === 0
    ? { program, node: binding.value }
    : null;
}

/** `messages.missing` of `import * as messages`. */
function importedMember(programs: Programs, program: Program, receiver: ts.Expression, key: string): Constant | null {
  const binding = ts.isIdentifier(receiver) ? findBinding(program, receiver.text, receiver) : null;
  const specifier = binding && specifierOf(binding);
  return specifier && specifier.path.length === 0 ? exported(programs, program, specifier.from, key) : null;
}

function exported(programs: Programs, program: Program, from: string, name: string): Constant | null {
  const found = findExport(programs, program, from, name);
  if (!found || found.kind === "data") return null;
  if (found.kind === "node") return ts.isExpression(found.node) ? { program: found.program, node: found.node } : null;
  const local = findBinding(found.program, found.name, found.at);
  return local?.kind === "variable" && local.value ? { program: found.program, node: local.value } : null;
}

/** How many characters of a template stand in a message, each piece behind the other; 0 when it does not fit. */
export function fits(template: MessageTemplate, message: string): number {
  const [first = "", ...rest] = template;
  if (rest.length === 0) return message === first ? first.length : 0;
  if (!message.startsWith(first)) return 0;
  let at = first.length;
  let written = first.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = isLast ? (message.endsWith(piece) ? message.length - piece.length : -1) : message.indexOf(piece, at);
    if (found < at) return 0;
    at = found + piece.length;
    written += piece.length;
  }
  return written;
}
