import type { Trait } from "../code/ir.ts";
import type { Made } from "./lower.ts";
import {
  child,
  childrenOf,
  type Describe,
  type Described,
  describeBy,
  made,
  named,
  optional,
  type ReadText,
  type Shapes,
  type SyntaxNode,
  type SyntaxPart,
  stringOf,
} from "./syntax-tree.ts";

/**
 * Lowers `a, b := x, y` and `a, ok := x[y]` to one write for each pair, and `a, b := f()` to one that destructures the
 * value.
 */
function writesOf(
  node: SyntaxNode,
  targets: readonly SyntaxNode[],
  given: readonly SyntaxNode[],
  write: (target: SyntaxPart, value: SyntaxPart[]) => Described,
): Described {
  const values = answersOf(targets, given);
  const [value] = values;
  if (targets.length === 1 && targets[0]) return write(["target", targets[0]], optional("value", value));
  if (targets.length === values.length)
    return {
      kind: "sequence",
      parts: targets.map(
        (one, index): SyntaxPart => [null, made(node, write(["target", one], optional("value", values[index])))],
      ),
    };
  const { start } = targets[0] ?? node;
  const { end } = targets.at(-1) ?? node;
  const list = made({ ...node, start, end }, { kind: "list", parts: targets.map((one) => ["value", one]) });
  return write(["target", list], optional("value", value));
}

/** Returns the values of two targets, where one expression gives a value and whether there was one. */
function answersOf(
  targets: readonly SyntaxNode[],
  values: readonly SyntaxNode[],
): readonly (SyntaxNode | Made<SyntaxNode>)[] {
  const [value, ...others] = values;
  if (!value || others.length > 0 || targets.length !== 2 || !answering.has(value.type)) return values;
  return [value, made(value, { kind: "other" })];
}

/** `value, ok := table[key]`, `value, ok := any.(Type)`, and `value, ok := <-channel`. */
const answering: ReadonlySet<string> = new Set(["index_expression", "type_assertion_expression", "unary_expression"]);

function elementsOf(node: SyntaxNode | null): readonly SyntaxNode[] {
  return node?.type === "expression_list" ? named(node) : node ? [node] : [];
}

const local: readonly Trait[] = ["local"];

function declared(read: ReadText, type: string | null): (target: SyntaxPart, value: SyntaxPart[]) => Described {
  return ([, target], value) => {
    const name = "type" in target && /identifier$/.test(target.type) ? read(target) : null;
    return {
      kind: "declare",
      name,
      type,
      traits: local,
      parts: name === null ? [["target", target], ...value] : value,
    };
  };
}

const short: Describe = (node, read) =>
  writesOf(node, elementsOf(child(node, "left")), elementsOf(child(node, "right")), declared(read, null));
const spec: Describe = (node, read) =>
  writesOf(
    node,
    childrenOf(node, "name"),
    elementsOf(child(node, "value")),
    declared(read, typeName(child(node, "type"), read)),
  );
const assignment: Describe = (node, read) =>
  writesOf(node, elementsOf(child(node, "left")), elementsOf(child(node, "right")), (target, value) => ({
    kind: "assign",
    name: read(child(node, "operator")),
    parts: [target, ...value],
  }));

/** Returns `T` for `*pkg.T`. */
function typeName(node: SyntaxNode | null, read: ReadText): string | null {
  return /([A-Za-z_]\w*)\s*(?:\[.*)?$/s.exec(read(node))?.[1] ?? null;
}

function parametersIn(list: SyntaxNode | null, read: ReadText, role: "parameter" | "receiver"): SyntaxPart[] {
  return named(list ?? emptyNode).flatMap((one): SyntaxPart[] => {
    const type = typeName(child(one, "type"), read);
    const traits: Trait[] = one.type.startsWith("variadic") ? ["rest"] : [];
    const names = childrenOf(one, "name");
    const all = names.length > 0 ? names : [one];
    return all.map((name) => [
      role,
      made(name, { kind: "parameter", name: names.length > 0 ? read(name) : null, type, traits }),
    ]);
  });
}

const emptyNode: SyntaxNode = { type: "", field: null, isNamed: false, start: 0, end: 0, children: [] };

const functionOf: Describe = (node, read) => ({
  kind: "function",
  name: read(child(node, "name")) || null,
  traits: node.type === "func_literal" ? ["callback"] : node.type === "method_declaration" ? ["method"] : [],
  parts: [
    ...parametersIn(child(node, "receiver"), read, "receiver"),
    ...parametersIn(child(node, "parameters"), read, "parameter"),
    ...optional("body", child(node, "body")),
  ],
});

/** `delete(map, key)`. */
function deletion(node: SyntaxNode, on: SyntaxNode, key: SyntaxNode): Described {
  const parts: SyntaxPart[] = [
    ["on", on],
    ["key", key],
  ];
  return { kind: "unary", name: "delete", parts: [["operand", made(node, { kind: "index", parts })]] };
}

const call: Describe = (node, read) => {
  const callee = child(node, "function");
  const given = named(child(node, "arguments") ?? emptyNode);
  const [on, key] = given;
  if (on && key && callee?.type === "identifier" && read(callee) === "delete") return deletion(node, on, key);
  const last =
    callee?.type === "selector_expression" ? child(callee, "field") : callee?.type === "identifier" ? callee : null;
  const parts: SyntaxPart[] = [...optional("callee", callee), ...given.map((one): SyntaxPart => ["argument", one])];
  return { kind: "call", name: last ? read(last) : null, ...(last ? { at: last.start } : {}), parts };
};

const composite: Describe = (node, read) => {
  const elements = named(child(node, "body") ?? emptyNode);
  const isKeyed = elements.some(({ type }) => type === "keyed_element");
  return {
    kind: isKeyed || elements.length === 0 ? "object" : "list",
    type: typeName(child(node, "type"), read),
    parts: elements.map((one): SyntaxPart => [isKeyed ? null : "value", one]),
  };
};

const keyed: Describe = (node, read) => {
  const key = child(node, "key");
  const inner = key?.type === "literal_element" ? (named(key)[0] ?? key) : key;
  const name =
    inner && (inner.type === "identifier" || inner.type.endsWith("string_literal"))
      ? read(inner).replace(/^["`]|["`]$/g, "")
      : null;
  return {
    kind: "entry",
    name,
    parts: [...(name === null ? optional("key", key) : []), ...optional("value", child(node, "value"))],
  };
};

const loop: Describe = (node, read) => {
  const body = child(node, "body");
  const clause = named(node).find((one) => one !== body);
  if (clause?.type === "range_clause") {
    const [first, second] = elementsOf(child(clause, "left"));
    const over = child(clause, "right");
    const index =
      second && first ? [[null, made(first, { kind: "declare", name: read(first), traits: local })] as const] : [];
    return {
      kind: "loop",
      traits: second ? [] : ["keys"],
      parts: [...optional("target", second ?? first), ...optional("over", over), ...index, ...optional("body", body)],
    };
  }
  const parts: SyntaxPart[] =
    clause?.type === "for_clause"
      ? [
          ...optional(null, child(clause, "initializer")),
          ...optional("condition", child(clause, "condition")),
          ...optional(null, child(clause, "update")),
        ]
      : optional("condition", clause);
  return { kind: "loop", parts: [...parts, ...optional("body", body)] };
};

/** Returns the names that a field's tag gives it: `json:"name,omitempty" db:"name"`. */
function keysIn(tag: SyntaxNode | null, read: ReadText): SyntaxPart[] {
  return [...read(tag).matchAll(/\w+:"([\w$]+)/g)].flatMap(({ 1: name }): SyntaxPart[] =>
    tag && name !== undefined ? [["key", made(tag, { kind: "other", name })]] : [],
  );
}

const returned: Describe = (node) => {
  const [value] = named(node);
  const values = elementsOf(value ?? null);
  if (values.length < 2 || !value) return { kind: "return", parts: optional("value", values[0]) };
  return {
    kind: "return",
    parts: [["value", made(value, { kind: "list", parts: values.map((one) => ["value", one]) })]],
  };
};

const imported: Describe = (node, read) => {
  const path = child(node, "path");
  const name = read(path).replace(/^["`]|["`]$/g, "");
  const alias = child(node, "name");
  const local = alias ? read(alias) : (name.split("/").findLast((one) => !/^v\d+$/.test(one)) ?? name);
  const entry = made(node, { kind: "entry", name: "*", parts: [["value", made(node, { kind: "name", name: local })]] });
  return { kind: "import", name, parts: [[null, entry]] };
};

const binary: Describe = (node, read) => ({
  ...describeBy({ kind: "binary", parts: { left: "left", right: "right" } }, node, read),
  name: read(child(node, "operator")),
});

const unary: Describe = (node, read) => {
  const operator = read(child(node, "operator"));
  const operand = child(node, "operand");
  // A pointer to a value is followed like the value.
  if (operator === "&") return { kind: "sequence", parts: optional("value", operand) };
  return { kind: "unary", name: operator, parts: optional("operand", operand) };
};

const cast: Describe = (node) => ({ kind: "sequence", name: "cast", parts: optional("value", child(node, "operand")) });
const contents: ReadonlySet<string> = new Set([
  "interpreted_string_literal_content",
  "raw_string_literal_content",
  "escape_sequence",
]);

/** Nodes of Go's grammar that only wrap another node. */
export const goWrappers: ReadonlySet<string> = new Set(
  "expression_statement parenthesized_expression literal_element".split(" "),
);

/** The shapes of the nodes of Go's grammar. */
export const goShapes: Shapes = {
  source_file: { kind: "module" },
  type_spec: { kind: "class", name: "name", parts: { type: "body" } },
  struct_type: { kind: "block" },
  field_declaration: (node, read) => ({
    kind: "sequence",
    parts: childrenOf(node, "name").map(
      (name): SyntaxPart => [
        null,
        made(name, {
          kind: "declare",
          name: read(name),
          type: typeName(child(node, "type"), read),
          traits: ["field"],
          parts: keysIn(child(node, "tag"), read),
        }),
      ],
    ),
  }),
  function_declaration: functionOf,
  method_declaration: functionOf,
  func_literal: functionOf,
  block: (node) => ({
    kind: "block",
    parts: named(node).flatMap((one): SyntaxPart[] =>
      one.type === "statement_list" ? named(one).map((inner): SyntaxPart => [null, inner]) : [[null, one]],
    ),
  }),
  identifier: { kind: "name", name: "text" },
  field_identifier: { kind: "name", name: "text" },
  package_identifier: { kind: "name", name: "text" },
  selector_expression: { kind: "member", name: "field", parts: { operand: "on" } },
  index_expression: { kind: "index", parts: { operand: "on", index: "key" } },
  slice_expression: { kind: "index", parts: { operand: "on", start: "key" } },
  call_expression: call,
  short_var_declaration: short,
  assignment_statement: assignment,
  var_spec: spec,
  const_spec: spec,
  var_declaration: { kind: "sequence" },
  const_declaration: { kind: "sequence" },
  type_declaration: { kind: "sequence" },
  composite_literal: composite,
  keyed_element: keyed,
  expression_list: { kind: "list", others: "value" },
  for_statement: loop,
  if_statement: { kind: "if", parts: { condition: "condition", consequence: "then", alternative: "otherwise" } },
  binary_expression: binary,
  unary_expression: unary,
  type_assertion_expression: cast,
  type_conversion_expression: cast,
  interpreted_string_literal: stringOf(contents),
  raw_string_literal: stringOf(contents),
  int_literal: { kind: "number", name: "text" },
  float_literal: { kind: "number", name: "text" },
  nil: { kind: "nothing", name: "text" },
  true: { kind: "boolean", name: "text" },
  false: { kind: "boolean", name: "text" },
  return_statement: returned,
  break_statement: { kind: "leave" },
  continue_statement: () => ({ kind: "leave", name: "continue" }),
  import_spec: imported,
};
