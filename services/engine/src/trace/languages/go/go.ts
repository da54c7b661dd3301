import { type CodeNode, part } from "../tree/code-node.ts";
import { type Dialect, type EnvironmentRead, words } from "../tree/dialect.ts";
import { goFailures } from "./failures.ts";
import { goRules } from "./rules.ts";
import { goShapes } from "./shapes.ts";

/** Go. */
export const go: Dialect = {
  name: "go",
  grammar: "tree-sitter-go.wasm",
  endings: /\.go$/,
  shapes: goShapes,
  nothing: "nil",
  self: new Set(),
  hasSelfParameter: false,
  returnsLast: false,
  raising: words("panic Fatal Fatalf Fatalln Panic Panicf"),
  errorMaking: words("Errorf New Wrap Wrapf WithMessage"),
  constructors: new Set(),
  calls: {
    lookups: words("Get Load Lookup Value FormValue Param First"),
    handOn: words(
      "append string Sprintf Sprint TrimSpace Trim Split Fields ToLower ToUpper Join Replace ReplaceAll TrimSuffix TrimPrefix Clone Sort Copy copy len min max",
    ),
    parsing: words("Unmarshal Decode Parse"),
    outside: words("ReadFile ReadAll Do Query QueryRow Scan Open"),
    computing: words("Atoi ParseInt ParseFloat ParseBool ParseDuration int int32 int64 float64 uint"),
    each: new Set(),
    putting: words("Set Store Put Add WithValue"),
  },
  failures: goFailures,
  rules: goRules,
  environment: environmentRead,
};

const read = /^(?:os|syscall)\.(?:Getenv|LookupEnv)\(\s*"(\w{1,100})"/;

function environmentRead(node: CodeNode, text: (node: CodeNode) => string): EnvironmentRead | null {
  if (node.kind !== "call" || part(node, "callee")?.kind !== "member") return null;
  const variable = read.exec(text(node))?.[1];
  return variable === undefined ? null : { variable, fallback: null };
}
