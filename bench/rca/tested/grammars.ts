/** What the operators ask of a language's syntax tree, as node types of its tree-sitter grammar. */
export interface Grammar {
  /** The grammar's file, without `tree-sitter-` and `.wasm`. */
  readonly name: string;
  readonly functions: readonly string[];
  /** Conditional statements, and those among them that stand behind what they guard. */
  readonly conditionals: readonly string[];
  /** What leaves a function or a round of a loop, as the beginning of the statement. */
  readonly leaves: RegExp;
  readonly negated: (condition: string) => string;
  /** A literal that stands for nothing. */
  readonly nothing: string;
  readonly returns: readonly string[];
  readonly binaries: readonly string[];
  readonly integers: readonly string[];
  readonly strings: readonly string[];
  /** Elements of a literal with names: a field of a structure, a pair of a map. */
  readonly elements: readonly string[];
  readonly argumentLists: readonly string[];
  readonly identifiers: readonly string[];
  readonly parameterLists: readonly string[];
  /** Statements that can be left out. */
  readonly statements: readonly string[];
  /** Where a name is looked up. */
  readonly lookups: readonly string[];
}

export const grammars = {
  go: {
    name: "go",
    functions: ["function_declaration", "method_declaration"],
    conditionals: ["if_statement"],
    leaves: /^(?:return|continue|panic\()/,
    negated: (condition) => `!(${condition})`,
    nothing: "nil",
    returns: ["return_statement"],
    binaries: ["binary_expression"],
    integers: ["int_literal"],
    strings: ["interpreted_string_literal"],
    elements: ["keyed_element"],
    argumentLists: ["argument_list"],
    identifiers: ["identifier"],
    parameterLists: ["parameter_list"],
    statements: ["expression_statement", "defer_statement", "assignment_statement"],
    lookups: ["index_expression"],
  },
} as const satisfies Record<string, Grammar>;

export type TestedLanguage = keyof typeof grammars;
