import type { Kind, Part, Shape } from "../tree/code-node.ts";

const of = (kind: Kind, parts: Partial<Record<Part, string | number>> = {}): Shape => ({ kind, parts });
const named = of("function", { name: "name", receiver: "receiver", parameters: "parameters", body: "body" });
const written = of("assign", { target: "left", operator: "operator", value: "right" });
const declared = of("declare", { target: "name", type: "type", value: "value" });

/** What the nodes of Go's grammar are. */
export const goShapes: Readonly<Record<string, Shape>> = {
  source_file: of("module"),
  type_spec: of("class", { name: "name", body: "type" }),
  function_declaration: named,
  method_declaration: named,
  func_literal: of("function", { parameters: "parameters", body: "body" }),
  parameter_declaration: of("parameter", { name: "name", type: "type" }),
  variadic_parameter_declaration: of("parameter", { name: "name", type: "type" }),
  block: of("block"),
  statement_list: of("block"),
  identifier: of("name"),
  field_identifier: of("name"),
  package_identifier: of("name"),
  selector_expression: of("member", { on: "operand", name: "field" }),
  index_expression: of("index", { on: "operand", key: "index" }),
  call_expression: of("call", { callee: "function", arguments: "arguments" }),
  short_var_declaration: written,
  assignment_statement: written,
  var_spec: declared,
  const_spec: declared,
  composite_literal: of("collection", { type: "type", body: "body" }),
  keyed_element: of("entry", { key: "key", value: "value" }),
  literal_element: of("wrapper"),
  expression_list: of("list"),
  for_statement: of("loop", { body: "body" }),
  range_clause: of("loop", { target: "left", over: "right" }),
  if_statement: of("if", { condition: "condition", consequence: "consequence", otherwise: "alternative" }),
  binary_expression: of("binary", { left: "left", operator: "operator", right: "right" }),
  unary_expression: of("unary", { operand: "operand" }),
  type_assertion_expression: of("wrapper", { value: "operand", type: "type" }),
  type_conversion_expression: of("wrapper", { value: "operand", type: "type" }),
  parenthesized_expression: of("wrapper"),
  expression_statement: of("wrapper"),
  interpreted_string_literal: of("string"),
  raw_string_literal: of("string"),
  int_literal: of("number"),
  float_literal: of("number"),
  nil: of("nothing"),
  true: of("boolean"),
  false: of("boolean"),
  return_statement: of("return"),
  import_declaration: of("import"),
};
