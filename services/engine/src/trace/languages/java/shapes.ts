import type { Kind, Part, Shape } from "../tree/code-node.ts";

const of = (kind: Kind, parts: Partial<Record<Part, string | number>> = {}): Shape => ({ kind, parts });
const type = of("class", { name: "name", body: "body" });
const method = of("function", { name: "name", parameters: "parameters", body: "body" });
const loop = of("loop", { condition: "condition", body: "body" });
const number = of("number");

/** What the nodes of Java's grammar are. */
export const javaShapes: Readonly<Record<string, Shape>> = {
  program: of("module"),
  class_declaration: type,
  interface_declaration: type,
  enum_declaration: type,
  record_declaration: of("class", { name: "name", parameters: "parameters", body: "body" }),
  method_declaration: method,
  constructor_declaration: method,
  compact_constructor_declaration: of("function", { name: "name", body: "body" }),
  lambda_expression: of("function", { parameters: "parameters", body: "body" }),
  formal_parameter: of("parameter", { name: "name", type: "type" }),
  spread_parameter: of("parameter", { name: -1 }),
  block: of("block"),
  constructor_body: of("block"),
  class_body: of("block"),
  identifier: of("name"),
  this: of("self"),
  field_access: of("member", { on: "object", name: "field" }),
  array_access: of("index", { on: "array", key: "index" }),
  method_invocation: of("call", { on: "object", name: "name", arguments: "arguments" }),
  object_creation_expression: of("call", { name: "type", arguments: "arguments" }),
  explicit_constructor_invocation: of("call", { name: "constructor", arguments: "arguments" }),
  assignment_expression: of("assign", { target: "left", operator: "operator", value: "right" }),
  variable_declarator: of("declare", { target: "name", value: "value" }),
  resource: of("declare", { target: "name", type: "type", value: "value" }),
  enhanced_for_statement: of("loop", { target: "name", over: "value", body: "body", type: "type" }),
  for_statement: loop,
  while_statement: loop,
  if_statement: of("if", { condition: "condition", consequence: "consequence", otherwise: "alternative" }),
  ternary_expression: of("choice", { condition: "condition", consequence: "consequence", otherwise: "alternative" }),
  binary_expression: of("binary", { left: "left", operator: "operator", right: "right" }),
  unary_expression: of("unary", { operand: "operand" }),
  cast_expression: of("wrapper", { value: "value", type: "type" }),
  parenthesized_expression: of("wrapper"),
  expression_statement: of("wrapper"),
  string_literal: of("string"),
  decimal_integer_literal: number,
  decimal_floating_point_literal: number,
  hex_integer_literal: number,
  null_literal: of("nothing"),
  true: of("boolean"),
  false: of("boolean"),
  array_initializer: of("list"),
  return_statement: of("return"),
  throw_statement: of("throw"),
  try_statement: of("try", { body: "body" }),
  try_with_resources_statement: of("try", { body: "body" }),
  catch_clause: of("catch", { body: "body", type: 0 }),
  import_declaration: of("import"),
};
