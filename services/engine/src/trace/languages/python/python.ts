import { type CodeNode, part } from "../tree/code-node.ts";
import { type Dialect, type EnvironmentRead, words } from "../tree/dialect.ts";
import { pythonFailures } from "./failures.ts";
import { pythonRules } from "./rules.ts";
import { pythonShapes } from "./shapes.ts";

/** Python 3. */
export const python: Dialect = {
  name: "python",
  grammar: "tree-sitter-python.wasm",
  endings: /\.pyi?$/,
  shapes: pythonShapes,
  nothing: "None",
  self: words("self cls"),
  hasSelfParameter: true,
  returnsLast: false,
  raising: new Set(),
  errorMaking: new Set(),
  constructors: words("__init__"),
  calls: {
    lookups: words("get pop find first one_or_none scalar search match fetchone getattr"),
    handOn: words(
      "str bytes list tuple set dict sorted reversed strip lower upper split join encode decode format abs min max round sum copy deepcopy enumerate zip filter map iter next items values keys wait_for gather",
    ),
    parsing: words("loads load safe_load json parse reader DictReader"),
    outside: words("urlopen request read read_text recv fetchall fetchone execute"),
    computing: words("int float bool len ord divmod"),
    each: words("map filter"),
    putting: words("setdefault setattr put set"),
  },
  failures: pythonFailures,
  rules: pythonRules,
  environment: environmentRead,
};

const call = /^(?:os\.)?(?:environ\.get|getenv)\(\s*["'](\w{1,100})["']/;
const element = /^(?:os\.)?environ\[\s*["'](\w{1,100})["']\s*\]$/;

function environmentRead(node: CodeNode, text: (node: CodeNode) => string): EnvironmentRead | null {
  if (node.kind !== "call" && node.kind !== "index") return null;
  const variable = (node.kind === "call" ? call : element).exec(text(node))?.[1];
  if (variable === undefined) return null;
  return { variable, fallback: (part(node, "arguments")?.children ?? [])[1] ?? null };
}
