import type { Kind, Part, Shape } from "../tree/code-node.ts";

const of = (kind: Kind, parts: Partial<Record<Part, string | number>> = {}): Shape => ({ kind, parts });
const type = of("class", { name: "name", body: "body" });
const method = of("function", { name: "name", parameters: "parameters", body: "body" });
const block = of("function", { parameters: "parameters", body: "body" });
const condition = of("if", { condition: "condition", consequence: "consequence", otherwise: "alternative" });
const modifier = of("if", { condition: "condition", consequence: "body" });
const optional = of("parameter", { name: "name", value: "value" });

/** What the nodes of Ruby's grammar are. */
export const rubyShapes: Readonly<Record<string, Shape>> = {
  program: of("module"),
  class: type,
  module: type,
  singleton_class: of("class", { body: "body" }),
  method,
  singleton_method: method,
  block,
  do_block: block,
  lambda: block,
  optional_parameter: optional,
  keyword_parameter: optional,
  splat_parameter: optional,
  hash_splat_parameter: optional,
  block_parameter: optional,
  body_statement: of("block"),
  block_body: of("block"),
  // biome-ignore lint/suspicious/noThenProperty: the grammar calls it so, and nobody awaits the table
  then: of("block"),
  begin: of("block"),
  identifier: of("name"),
  constant: of("name"),
  instance_variable: of("member"),
  class_variable: of("member"),
  global_variable: of("member"),
  self: of("self"),
  scope_resolution: of("member", { on: "scope", name: "name" }),
  element_reference: of("index", { on: "object", key: 1 }),
  call: of("call", { on: "receiver", name: "method", arguments: "arguments", block: "block" }),
  assignment: of("assign", { target: "left", value: "right" }),
  operator_assignment: of("assign", { target: "left", operator: "operator", value: "right" }),
  left_assignment_list: of("list"),
  right_assignment_list: of("list"),
  hash: of("collection"),
  pair: of("entry", { key: "key", value: "value" }),
  array: of("list"),
  if: condition,
  unless: condition,
  elsif: condition,
  if_modifier: modifier,
  unless_modifier: modifier,
  conditional: of("choice", { condition: "condition", consequence: "consequence", otherwise: "alternative" }),
  rescue_modifier: of("catch", { body: "handler", value: "body" }),
  rescue: of("catch", { type: "exceptions", body: "body" }),
  while: of("loop", { condition: "condition", body: "body" }),
  until: of("loop", { condition: "condition", body: "body" }),
  for: of("loop", { target: "pattern", over: "value", body: "body" }),
  binary: of("binary", { left: "left", operator: "operator", right: "right" }),
  unary: of("unary", { operand: "operand" }),
  string: of("string"),
  simple_symbol: of("string"),
  hash_key_symbol: of("string"),
  integer: of("number"),
  float: of("number"),
  nil: of("nothing"),
  true: of("boolean"),
  false: of("boolean"),
  interpolation: of("wrapper"),
  parenthesized_statements: of("wrapper"),
  return: of("return"),
};
