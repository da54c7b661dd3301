import type { Trait } from "../code/ir.ts";
import type { Made } from "./lower.ts";
import {
  child,
  type Describe,
  type Described,
  describeBy,
  made,
  memberOf,
  named,
  optional,
  type ReadText,
  type Shapes,
  type SyntaxNode,
  type SyntaxPart,
  stringOf,
} from "./syntax-tree.ts";

const none: SyntaxNode = { type: "", field: null, isNamed: false, start: 0, end: 0, children: [] };

const type: Describe = (node, read) => ({
  kind: "class",
  name: read(child(node, "name")).split("::").at(-1) ?? null,
  parts: [
    ...named(child(node, "superclass") ?? none).map((one): SyntaxPart => ["base", one]),
    ...optional("body", child(node, "body")),
  ],
});

const functionOf: Describe = (node, read) => {
  const isMethod = node.type.endsWith("method");
  const traits: Trait[] = isMethod ? ["method"] : ["callback"];
  if (node.type === "singleton_method") traits.push("static");
  const inner = node.type === "lambda" ? child(node, "body") : null;
  const body = (inner && child(inner, "body")) ?? child(node, "body");
  return {
    kind: "function",
    name: isMethod ? read(child(node, "name")).replace(/=$/, "") : null,
    traits,
    parts: [
      ...named(child(node, "parameters") ?? none).map((one): SyntaxPart => ["parameter", one]),
      ...optional("body", body),
    ],
  };
};

const parameter: Describe = (node, read) => ({
  kind: "parameter",
  name: read(child(node, "name")),
  traits: node.type.includes("splat") ? ["rest"] : [],
  parts: optional("fallback", child(node, "value")),
});

const identifier: Describe = (node, read, role) => ({
  kind: role === "parameter" ? "parameter" : "name",
  name: read(node),
});

/** `@name` is a member of the object, with a sigil instead of a receiver. */
const variable: Describe = (node, read) => ({ kind: "member", name: read(node).replace(/^[@$]+/, "") });

const call: Describe = (node, read) => {
  const name = child(node, "method");
  const given = named(child(node, "arguments") ?? none).map((one): SyntaxPart => ["argument", one]);
  const block = optional("argument", child(node, "block"));
  if (!name) return { kind: "call", parts: [...optional("callee", child(node, "receiver")), ...given, ...block] };
  const callee = memberOf(node, child(node, "receiver"), name, read);
  return { kind: "call", name: read(name), at: name.start, parts: [["callee", callee], ...given, ...block] };
};

/** `&method(:name)` passes the method of that name. */
const passedBlock: Describe = (node, read) => {
  const name = /^&method\(:(\w+[?!]?)\)$/.exec(read(node))?.[1];
  return name === undefined ? describeBy({ kind: "other" }, node, read) : { kind: "name", name };
};

const pair: Describe = (node, read) => {
  const key = child(node, "key");
  const isText =
    key !== null && /symbol$|^string$/.test(key.type) && !named(key).some(({ type: kind }) => kind === "interpolation");
  const name = isText ? read(key).replace(/^[:"']+|["']+$/g, "") : null;
  const value = child(node, "value") ?? (key && made(key, { kind: "name", name }));
  return { kind: "entry", name, parts: [...(isText ? [] : optional("key", key)), ...optional("value", value)] };
};

const condition: Describe = (node) => {
  const [then, otherwise] = node.type.startsWith("unless")
    ? (["otherwise", "then"] as const)
    : (["then", "otherwise"] as const);
  return {
    kind: "if",
    parts: [
      ...optional("condition", child(node, "condition")),
      ...optional(then, child(node, "consequence") ?? child(node, "body")),
      ...optional(otherwise, child(node, "alternative")),
    ],
  };
};

/** `case value when a then b else c end`, each `when` nested in the one before. */
const choices: Describe = (node) => {
  const branches = named(node).filter(({ type: kind }) => kind === "when" || kind === "else");
  const [first] = whens(branches);
  return {
    kind: "sequence",
    parts: [...optional(null, child(node, "value")), ...optional("value", first?.[1] as Made<SyntaxNode> | undefined)],
  };
};

function whens([first, ...rest]: readonly SyntaxNode[]): SyntaxPart[] {
  if (!first) return [];
  if (first.type === "else") return [["otherwise", first]];
  const parts = [
    ...optional("condition", child(first, "pattern")),
    ...optional("then", child(first, "body")),
    ...whens(rest),
  ];
  return [["otherwise", made(first, { kind: "if", parts })]];
}

/** A body with `rescue` or `ensure` is a `try`. */
const body: Describe = (node) => {
  const statements = named(node);
  const isTried = statements.some(({ type: kind }) => kind === "rescue" || kind === "ensure");
  if (!isTried) return { kind: "block", parts: statements.map((one) => [null, one]) };
  const own = statements.filter(({ type: kind }) => kind !== "rescue" && kind !== "ensure");
  const tried = made(node, { kind: "block", parts: own.map((one) => [null, one]) });
  const parts: SyntaxPart[] = [
    ["body", tried],
    ...statements.filter(({ type: kind }) => kind === "rescue").map((one): SyntaxPart => ["handler", one]),
    ...statements.filter(({ type: kind }) => kind === "ensure").map((one): SyntaxPart => ["final", one]),
  ];
  return { kind: "block", parts: [[null, made(node, { kind: "try", parts })]] };
};

const rescue: Describe = (node) => {
  const variables = child(node, "variable");
  const empty = made(node, { kind: "block" });
  return {
    kind: "catch",
    parts: [...optional("target", variables && named(variables)[0]), ["body", child(node, "body") ?? empty]],
  };
};

const rescued: Describe = (node) => ({
  kind: "try",
  parts: [
    ...optional("body", child(node, "body")),
    ["handler", made(node, { kind: "catch", parts: optional("body", child(node, "handler")) })],
  ],
});

const reference: Describe = (node) => {
  const on = child(node, "object");
  return {
    kind: "index",
    parts: [
      ...optional("on", on),
      ...optional(
        "key",
        named(node).find((one) => one !== on),
      ),
    ],
  };
};

const binary: Describe = (node, read) => ({
  ...describeBy({ kind: "binary", parts: { left: "left", right: "right" } }, node, read),
  name: read(child(node, "operator")),
});

const assignment: Describe = (node, read) => ({
  kind: "assign",
  name: read(child(node, "operator")) || "=",
  parts: [...optional("target", child(node, "left")), ...optional("value", child(node, "right"))],
});

const returned: Describe = (node): Described => {
  const [list] = named(node);
  const values = list?.type === "argument_list" ? named(list) : list ? [list] : [];
  if (values.length < 2 || !list) return { kind: "return", parts: optional("value", values[0]) };
  return {
    kind: "return",
    parts: [["value", made(list, { kind: "list", parts: values.map((one) => ["value", one]) })]],
  };
};

function symbolText(node: SyntaxNode, read: ReadText): string {
  return read(node).replace(/^:"?|"$/g, "");
}

const contents: ReadonlySet<string> = new Set(["string_content", "escape_sequence"]);
const list = { kind: "list", others: "value" } as const;
const block = { kind: "block" } as const;

/** Nodes of Ruby's grammar that only wrap another node. */
export const rubyWrappers: ReadonlySet<string> = new Set("parenthesized_statements pattern".split(" "));

/** The shapes of the nodes of Ruby's grammar. */
export const rubyShapes: Shapes = {
  program: { kind: "module" },
  class: type,
  module: type,
  singleton_class: { kind: "sequence" },
  method: functionOf,
  singleton_method: functionOf,
  block: functionOf,
  do_block: functionOf,
  lambda: functionOf,
  optional_parameter: parameter,
  keyword_parameter: parameter,
  splat_parameter: parameter,
  hash_splat_parameter: parameter,
  block_parameter: parameter,
  body_statement: body,
  begin: body,
  block_body: body,
  // biome-ignore lint/suspicious/noThenProperty: the grammar calls it so, and nothing awaits the table
  then: block,
  else: block,
  identifier,
  constant: { kind: "name", name: "text" },
  scope_resolution: { kind: "name", name: "name" },
  instance_variable: variable,
  class_variable: variable,
  global_variable: variable,
  self: { kind: "self", name: "text" },
  super: { kind: "self", name: "text" },
  element_reference: reference,
  call,
  assignment,
  operator_assignment: assignment,
  left_assignment_list: list,
  right_assignment_list: list,
  hash: { kind: "object" },
  pair,
  array: list,
  if: condition,
  unless: condition,
  elsif: condition,
  if_modifier: condition,
  unless_modifier: condition,
  conditional: { kind: "choice", parts: { condition: "condition", consequence: "then", alternative: "otherwise" } },
  case: choices,
  rescue,
  rescue_modifier: rescued,
  while: { kind: "loop", parts: { condition: "condition", body: "body" } },
  until: { kind: "loop", parts: { condition: "condition", body: "body" } },
  for: { kind: "loop", parts: { pattern: "target", value: "over", body: "body" } },
  binary,
  unary: (node, read) => ({
    kind: "unary",
    name: read(child(node, "operator")),
    parts: optional("operand", child(node, "operand")),
  }),
  string: stringOf(contents),
  simple_symbol: (node, read) => ({ kind: "string", name: symbolText(node, read) }),
  hash_key_symbol: (node, read) => ({ kind: "string", name: symbolText(node, read) }),
  integer: { kind: "number", name: "text" },
  float: { kind: "number", name: "text" },
  nil: { kind: "nothing", name: "text" },
  true: { kind: "boolean", name: "text" },
  false: { kind: "boolean", name: "text" },
  return: returned,
  next: () => ({ kind: "leave", name: "continue" }),
  break: { kind: "leave" },
  yield: { kind: "yield" },
  block_argument: passedBlock,
};
