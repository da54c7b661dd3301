import type { Trait } from "../code/ir.ts";
import {
  child,
  childrenOf,
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
  tryOf,
} from "./syntax-tree.ts";

/** Returns `T` for `pkg.T<X>[]`. */
function typeName(node: SyntaxNode | null, read: ReadText): string | null {
  return /([A-Za-z_]\w*)\s*$/.exec(read(node).split(/[<[]/)[0] ?? "")?.[1] ?? null;
}

function argumentsIn(node: SyntaxNode): SyntaxPart[] {
  const list = child(node, "arguments");
  return (list ? named(list) : []).map((one) => ["argument", one]);
}

/** `Type::name` is a member; `Type::new` only names the type. */
const referenced: Describe = (node, read) => {
  const [on, ...others] = named(node);
  const name = others.at(-1);
  if (!on || !name) return describeBy({ kind: "other" }, node, read);
  return { kind: "member", name: read(name), at: name.start, parts: [["on", on]] };
};

const type: Describe = (node, read) => ({
  kind: "class",
  name: read(child(node, "name")) || null,
  parts: [
    ...named(child(node, "parameters") ?? none).map((one): SyntaxPart => ["parameter", one]),
    ...named(child(node, "superclass") ?? none).map(
      (one): SyntaxPart => ["base", made(one, { kind: "name", name: typeName(one, read) })],
    ),
    ...optional("body", child(node, "body")),
  ],
});

const none: SyntaxNode = { type: "", field: null, isNamed: false, start: 0, end: 0, children: [] };

const functionOf: Describe = (node, read) => {
  const list = child(node, "parameters");
  const given = list?.type === "identifier" ? [list] : named(list ?? none);
  const isLambda = node.type === "lambda_expression";
  const traits: Trait[] = isLambda ? ["callback"] : ["method"];
  if (/\bstatic\b/.test(read(modifiersOf(node)))) traits.push("static");
  const isConstructor = node.type.endsWith("constructor_declaration");
  return {
    kind: "function",
    name: isConstructor ? "<init>" : isLambda ? null : read(child(node, "name")),
    type: typeName(child(node, "type"), read),
    traits,
    parts: [...given.map((one): SyntaxPart => ["parameter", one]), ...optional("body", child(node, "body"))],
  };
};

const parameter: Describe = (node, read) => {
  const declarator = child(node, "name") ?? named(node).at(-1) ?? null;
  const name = declarator?.type === "variable_declarator" ? child(declarator, "name") : declarator;
  return {
    kind: "parameter",
    name: read(name),
    type: typeName(child(node, "type"), read),
    traits: node.type === "spread_parameter" ? ["rest"] : [],
  };
};

const identifier: Describe = (node, read, role) => ({
  kind: role === "parameter" ? "parameter" : "name",
  name: read(node),
});

function declaration(trait: Trait): Describe {
  return (node, read): Described => {
    const modifiers = modifiersOf(node);
    // Outside a class, the grammar takes a field for a local variable.
    const isField = trait === "field" || /\b(?:public|protected|private|static)\b/.test(read(modifiers));
    return {
      kind: "sequence",
      parts: childrenOf(node, "declarator").map(
        (one): SyntaxPart => [
          null,
          made(one, {
            kind: "declare",
            name: read(child(one, "name")),
            type: typeName(child(node, "type"), read),
            traits: [isField ? "field" : trait],
            parts: [...optional("value", child(one, "value")), ...keysIn(modifiers, read)],
          }),
        ],
      ),
    };
  };
}

function modifiersOf(node: SyntaxNode): SyntaxNode | undefined {
  return node.children.find((one) => one.type === "modifiers");
}

/** Returns the names that annotations give a field: `@JsonProperty("name")`, `@Column(name = "name")`. */
function keysIn(modifiers: SyntaxNode | undefined, read: ReadText): SyntaxPart[] {
  const annotations = (modifiers?.children ?? []).filter((one) => one.type === "annotation");
  return annotations.flatMap((one): SyntaxPart[] => {
    const name = /^\(\s*(?:(?:name|value)\s*=\s*)?"([\w$]+)"/.exec(read(child(one, "arguments")))?.[1];
    return name === undefined ? [] : [["key", made(one, { kind: "other", name })]];
  });
}

const invocation: Describe = (node, read) => {
  const name = child(node, "name");
  if (!name) return { kind: "other" };
  const callee = memberOf(node, child(node, "object"), name, read);
  return { kind: "call", name: read(name), at: name.start, parts: [["callee", callee], ...argumentsIn(node)] };
};

const creation: Describe = (node, read) => {
  const of = child(node, "type");
  const name = typeName(of, read);
  const callee = made(of ?? node, { kind: "name", name });
  const body = node.children.find((one) => one.type === "class_body");
  return {
    kind: "call",
    name,
    traits: ["new"],
    parts: [["callee", callee], ...argumentsIn(node), ...optional(null, body)],
  };
};

const constructed: Describe = (node, read) => {
  const of = child(node, "constructor");
  return { kind: "call", name: read(of), parts: [...optional("callee", of), ...argumentsIn(node)] };
};

const binary: Describe = (node, read) => ({
  ...describeBy({ kind: "binary", parts: { left: "left", right: "right" } }, node, read),
  name: read(child(node, "operator")),
});

const loop: Describe = (node, read) => {
  const name = child(node, "name");
  return {
    kind: "loop",
    type: typeName(child(node, "type"), read),
    parts: [
      ...optional("target", name),
      ...optional("over", child(node, "value")),
      ...optional("body", child(node, "body")),
    ],
  };
};

const tried = tryOf("catch_clause");

const handler: Describe = (node) => {
  const caught = named(node).find(({ type: kind }) => kind === "catch_formal_parameter");
  return {
    kind: "catch",
    parts: [...optional("target", caught && child(caught, "name")), ...optional("body", child(node, "body"))],
  };
};

const valued =
  (kind: "return" | "throw"): Describe =>
  (node): Described => ({ kind, parts: optional("value", named(node)[0]) });
const contents: ReadonlySet<string> = new Set(["string_fragment", "multiline_string_fragment", "escape_sequence"]);
const number = { kind: "number", name: "text" } as const;
const block = { kind: "block" } as const;

/** Nodes of Java's grammar that only wrap another node. */
export const javaWrappers: ReadonlySet<string> = new Set("expression_statement parenthesized_expression".split(" "));

/** The shapes of the nodes of Java's grammar. */
export const javaShapes: Shapes = {
  program: { kind: "module" },
  class_declaration: type,
  interface_declaration: type,
  enum_declaration: type,
  record_declaration: type,
  method_declaration: functionOf,
  constructor_declaration: functionOf,
  compact_constructor_declaration: functionOf,
  lambda_expression: functionOf,
  formal_parameter: parameter,
  spread_parameter: parameter,
  block,
  constructor_body: block,
  class_body: block,
  interface_body: block,
  identifier,
  this: { kind: "self", name: "text" },
  super: { kind: "self", name: "text" },
  field_access: { kind: "member", name: "field", parts: { object: "on" } },
  array_access: { kind: "index", parts: { array: "on", index: "key" } },
  method_invocation: invocation,
  object_creation_expression: creation,
  method_reference: referenced,
  explicit_constructor_invocation: constructed,
  assignment_expression: (node, read) => ({
    ...describeBy({ kind: "assign", parts: { left: "target", right: "value" } }, node, read),
    name: read(child(node, "operator")),
  }),
  field_declaration: declaration("field"),
  local_variable_declaration: declaration("local"),
  resource: (node, read) => ({
    kind: "declare",
    name: read(child(node, "name")),
    type: typeName(child(node, "type"), read),
    traits: ["local", "disposed"],
    parts: optional("value", child(node, "value")),
  }),
  enhanced_for_statement: loop,
  for_statement: { kind: "loop", parts: { condition: "condition", body: "body" } },
  while_statement: { kind: "loop", parts: { condition: "condition", body: "body" } },
  if_statement: { kind: "if", parts: { condition: "condition", consequence: "then", alternative: "otherwise" } },
  ternary_expression: {
    kind: "choice",
    parts: { condition: "condition", consequence: "then", alternative: "otherwise" },
  },
  binary_expression: binary,
  unary_expression: (node, read) => ({
    kind: "unary",
    name: read(child(node, "operator")),
    parts: optional("operand", child(node, "operand")),
  }),
  cast_expression: (node) => ({ kind: "sequence", name: "cast", parts: optional("value", child(node, "value")) }),
  string_literal: stringOf(contents),
  decimal_integer_literal: number,
  decimal_floating_point_literal: number,
  hex_integer_literal: number,
  null_literal: { kind: "nothing", name: "text" },
  true: { kind: "boolean", name: "text" },
  false: { kind: "boolean", name: "text" },
  array_initializer: { kind: "list", others: "value" },
  dimensions_expr: (node) => ({
    kind: "sequence",
    name: "size",
    parts: named(node).map((one): SyntaxPart => ["value", one]),
  }),
  return_statement: valued("return"),
  throw_statement: valued("throw"),
  try_statement: tried,
  try_with_resources_statement: tried,
  catch_clause: handler,
  break_statement: { kind: "leave" },
  continue_statement: () => ({ kind: "leave", name: "continue" }),
  import_declaration: (node, read) => ({ kind: "import", name: read(named(node)[0]) }),
};
