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
  tryOf,
} from "./syntax-tree.ts";

const binary: Describe = (node, read) => ({
  ...describeBy({ kind: "binary", parts: { left: "left", right: "right" } }, node, read),
  name: read(child(node, "operator")),
});

const comparison: Describe = (node, read) => {
  const operands = named(node).filter(({ field }) => field !== "operators");
  return {
    kind: "binary",
    name: read(child(node, "operators")),
    parts: [...optional("left", operands[0]), ...optional("right", operands.at(-1))],
  };
};

const unary: Describe = (node, read) => {
  const operand = child(node, "argument");
  if (read(child(node, "operator")) === "-" && (operand?.type === "integer" || operand?.type === "float"))
    return { kind: "number", name: `-${read(operand)}` };
  const name = node.type === "not_operator" ? "not" : read(child(node, "operator"));
  return { kind: "unary", name, parts: optional("operand", operand) };
};

const identifier: Describe = (node, read, role) =>
  role === "parameter" || role === "receiver"
    ? { kind: "parameter", name: read(node) }
    : { kind: "name", name: read(node) };

const functionOf: Describe = (node, read) => {
  const body = child(node, "body");
  const text = read(node);
  return {
    ...describeBy(
      { kind: "function", name: "name", lists: { parameters: "parameter" }, parts: { body: "body" } },
      node,
      read,
    ),
    traits: [
      ...(text.startsWith("async") ? (["async"] as const) : []),
      ...(body && /\byield\b/.test(read(body)) && yields(body) ? (["generator"] as const) : []),
      ...(node.type === "lambda" ? (["callback"] as const) : []),
    ],
  };
};

/** Functions of their own, whose elements aren't those of what is around them. */
const functions: ReadonlySet<string> = new Set(["function_definition", "lambda"]);

/** Returns whether the code of a function yields, rather than a comment, a text, or a function in it. */
function yields(body: SyntaxNode): boolean {
  const pending = [body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "yield") return true;
    if (!functions.has(node.type)) pending.push(...named(node));
  }
  return false;
}

const parameter: Describe = (node, read) => {
  const name = child(node, "name") ?? named(node)[0] ?? null;
  const isRest = node.type.endsWith("splat_pattern");
  const type = lastWord(read(child(node, "type")));
  return {
    kind: "parameter",
    name: read(name).replace(/^\*+/, ""),
    type,
    traits: isRest ? ["rest"] : [],
    parts: optional("fallback", child(node, "value")),
  };
};

function lastWord(text: string): string | null {
  return /([A-Za-z_]\w*)\s*(?:\[.*)?(?:\|.*)?["']?$/s.exec(text)?.[1] ?? null;
}

const call: Describe = (node, read) => {
  const callee = child(node, "function");
  const list = child(node, "arguments");
  const given = list?.type === "argument_list" ? named(list) : list ? [list] : [];
  const last =
    callee?.type === "attribute" ? child(callee, "attribute") : callee?.type === "identifier" ? callee : null;
  const parts: SyntaxPart[] = [...optional("callee", callee), ...given.map((one): SyntaxPart => ["argument", one])];
  return { kind: "call", name: last ? read(last) : null, ...(last ? { at: last.start } : {}), parts };
};

const pair: Describe = (node, read) => {
  const key = child(node, "key");
  const isText = key?.type === "string" && !named(key).some(({ type }) => type === "interpolation");
  const name = isText && key ? stringText(key, read) : null;
  return {
    kind: "entry",
    name,
    parts: [...(isText ? [] : optional("key", key)), ...optional("value", child(node, "value"))],
  };
};

const contents: ReadonlySet<string> = new Set(["string_content", "escape_sequence"]);

function stringText(node: SyntaxNode, read: ReadText): string {
  return named(node)
    .filter(({ type }) => contents.has(type))
    .map(read)
    .join("");
}

/** `if … elif … else …`, each nested in the one before. */
const condition: Describe = (node) => {
  const parts: SyntaxPart[] = [
    ...optional("condition", child(node, "condition")),
    ...optional("then", child(node, "consequence")),
  ];
  return { kind: "if", parts: [...parts, ...otherwise(childrenOf(node, "alternative"))] };
};

function otherwise([first, ...rest]: readonly SyntaxNode[]): SyntaxPart[] {
  if (!first) return [];
  if (first.type === "else_clause") return optional("otherwise", child(first, "body"));
  const parts = [
    ...optional("condition", child(first, "condition")),
    ...optional("then", child(first, "consequence")),
    ...otherwise(rest),
  ];
  return [["otherwise", made(first, { kind: "if", parts })]];
}

/** `assert x, "message"` raises unless `x`. */
const assertion: Describe = (node) => {
  const [tested, message] = named(node);
  const raise = made(node, { kind: "throw", parts: optional("value", message) });
  return { kind: "if", parts: [...optional("condition", tested), ["otherwise", raise]] };
};

const handler: Describe = (node) => {
  const caught = child(node, "value");
  const alias = caught?.type === "as_pattern" ? child(caught, "alias") : null;
  return {
    kind: "catch",
    parts: [
      ...optional("target", alias),
      ...optional(
        "body",
        named(node).find(({ type }) => type === "block"),
      ),
    ],
  };
};

const tried = tryOf("except_clause");

/** `with a() as b, c(): …` */
const withBlock: Describe = (node) => ({
  kind: "block",
  parts: named(node).flatMap((one): SyntaxPart[] =>
    one.type === "with_clause" ? named(one).map((item): SyntaxPart => ["context", item]) : [[null, one]],
  ),
});

const importFrom: Describe = (node, read) => {
  const names = childrenOf(node, "name").map((one): SyntaxPart => {
    const original = child(one, "name") ?? one;
    const local = child(one, "alias") ?? original;
    return [
      null,
      made(one, {
        kind: "entry",
        name: read(original),
        parts: [["value", made(local, { kind: "name", name: read(local) })]],
      }),
    ];
  });
  return { kind: "import", name: read(child(node, "module_name")), parts: names };
};

const importWhole: Describe = (node, read) => {
  const parts = childrenOf(node, "name").flatMap((one): SyntaxPart[] => {
    const original = child(one, "name") ?? one;
    const alias = child(one, "alias");
    const path = read(original);
    const first = path.split(".")[0] ?? path;
    const local = alias ? read(alias) : first;
    const entry = made(one, { kind: "entry", name: "*", parts: [["value", made(one, { kind: "name", name: local })]] });
    const whole: SyntaxPart = [null, made(one, { kind: "import", name: alias ? path : first, parts: [[null, entry]] })];
    return alias || first === path ? [whole] : [whole, [null, made(one, { kind: "import", name: path })]];
  });
  return { kind: "sequence", parts };
};

const comprehension: Describe = (node, read) => describeBy({ kind: "list", parts: { body: "value" } }, node, read);
const loop: Describe = (node) => ({
  kind: "loop",
  parts: [
    ...optional("target", child(node, "left")),
    ...optional("over", child(node, "right")),
    ...optional("condition", child(node, "condition")),
    ...optional("body", child(node, "body")),
    ...otherwise(childrenOf(node, "alternative")),
  ],
});
const list = { kind: "list", others: "value" } as const;
const valued =
  (kind: "return" | "yield" | "await" | "spread" | "throw"): Describe =>
  (node): Described => ({
    kind,
    parts: optional(
      "value",
      named(node).find(({ field }) => field !== "cause"),
    ),
  });

/** Nodes of Python's grammar that only wrap another node. */
export const pythonWrappers: ReadonlySet<string> = new Set(
  "expression_statement parenthesized_expression as_pattern_target with_item".split(" "),
);

/** The shapes of the nodes of Python's grammar. */
export const pythonShapes: Shapes = {
  module: { kind: "module" },
  class_definition: { kind: "class", name: "name", lists: { superclasses: "base" }, parts: { body: "body" } },
  function_definition: functionOf,
  lambda: functionOf,
  decorated_definition: (node) => ({
    kind: "sequence",
    parts: [
      ...named(node)
        .filter(({ type }) => type === "decorator")
        .map((one): SyntaxPart => [null, one]),
      ...optional(null, child(node, "definition")),
    ],
  }),
  default_parameter: parameter,
  typed_default_parameter: parameter,
  typed_parameter: parameter,
  list_splat_pattern: (node, read, role) =>
    role === "parameter" ? parameter(node, read, role) : valued("spread")(node, read, role),
  dictionary_splat_pattern: parameter,
  block: { kind: "block" },
  identifier,
  attribute: { kind: "member", name: "attribute", parts: { object: "on" } },
  subscript: { kind: "index", parts: { value: "on", subscript: "key" } },
  call,
  keyword_argument: { kind: "entry", name: "name", parts: { value: "value" } },
  pair,
  dictionary: { kind: "object" },
  list,
  tuple: { ...list, traits: ["fixed"] },
  set: list,
  expression_list: { ...list, traits: ["fixed"] },
  pattern_list: list,
  tuple_pattern: list,
  list_pattern: list,
  list_comprehension: comprehension,
  generator_expression: comprehension,
  set_comprehension: comprehension,
  list_splat: valued("spread"),
  dictionary_splat: valued("spread"),
  assignment: (node, read) => ({
    kind: "assign",
    name: "=",
    type: lastWord(read(child(node, "type"))),
    parts: [...optional("target", child(node, "left")), ...optional("value", child(node, "right"))],
  }),
  augmented_assignment: (node, read) => ({
    kind: "assign",
    name: read(child(node, "operator")),
    parts: [...optional("target", child(node, "left")), ...optional("value", child(node, "right"))],
  }),
  named_expression: (node) => ({
    kind: "assign",
    name: "=",
    parts: [...optional("target", child(node, "name")), ...optional("value", child(node, "value"))],
  }),
  as_pattern: (node) => ({
    kind: "assign",
    name: "=",
    parts: [...optional("target", child(node, "alias")), ...optional("value", named(node)[0])],
  }),
  for_statement: loop,
  for_in_clause: loop,
  while_statement: loop,
  if_statement: condition,
  conditional_expression: { kind: "choice", parts: { 0: "then", 1: "condition", 2: "otherwise" } },
  boolean_operator: binary,
  binary_operator: binary,
  comparison_operator: comparison,
  not_operator: unary,
  delete_statement: (node) => ({ kind: "unary", name: "delete", parts: optional("operand", named(node)[0]) }),
  unary_operator: unary,
  string: stringOf(contents),
  concatenated_string: (node) => ({ kind: "template", parts: named(node).map((one) => [null, one]) }),
  integer: { kind: "number", name: "text" },
  float: { kind: "number", name: "text" },
  none: { kind: "nothing", name: "text" },
  true: { kind: "boolean", name: "text" },
  false: { kind: "boolean", name: "text" },
  return_statement: valued("return"),
  raise_statement: valued("throw"),
  assert_statement: assertion,
  yield: valued("yield"),
  await: valued("await"),
  with_statement: withBlock,
  try_statement: tried,
  except_clause: handler,
  break_statement: { kind: "leave" },
  continue_statement: () => ({ kind: "leave", name: "continue" }),
  import_statement: importWhole,
  import_from_statement: importFrom,
  global_statement: (node) => ({ kind: "other", name: "global", parts: named(node).map((one) => [null, one]) }),
  nonlocal_statement: (node) => ({ kind: "other", name: "global", parts: named(node).map((one) => [null, one]) }),
  type: () => ({ kind: "other" }),
};
