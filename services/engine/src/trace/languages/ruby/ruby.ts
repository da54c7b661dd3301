import { type CodeNode, part } from "../tree/code-node.ts";
import { type Dialect, type EnvironmentRead, words } from "../tree/dialect.ts";
import { rubyFailures } from "./failures.ts";
import { rubyRules } from "./rules.ts";
import { rubyShapes } from "./shapes.ts";

/** Ruby. */
export const ruby: Dialect = {
  name: "ruby",
  grammar: "tree-sitter-ruby.wasm",
  endings: /\.(?:rb|rake|ru|gemspec)$/,
  shapes: rubyShapes,
  nothing: "nil",
  self: words("self"),
  hasSelfParameter: false,
  returnsLast: true,
  raising: words("raise fail"),
  errorMaking: new Set(),
  constructors: words("initialize"),
  calls: {
    lookups: words("fetch dig find find_by detect first last pop shift match get delete key"),
    handOn: words(
      "to_s to_a to_h map select reject sort sort_by compact flatten uniq strip downcase upcase split join dup clone merge transform_keys symbolize_keys values keys each with_indifferent_access freeze then tap String Array Hash",
    ),
    parsing: words("parse load load_file safe_load"),
    outside: words("get_response read open execute query get post"),
    computing: words("to_i to_f Integer Float size length count"),
    each: words(
      "each map select reject each_with_index flat_map find detect sort_by group_by each_with_object inject sum any? all? collect",
    ),
    putting: words("store set put write"),
  },
  failures: rubyFailures,
  rules: rubyRules,
  environment: environmentRead,
};

const element = /^ENV\[\s*["'](\w{1,100})["']\s*\]$/;
const fetched = /^ENV\.(?:fetch|dig|values_at)\(\s*["'](\w{1,100})["']/;

function environmentRead(node: CodeNode, text: (node: CodeNode) => string): EnvironmentRead | null {
  if (node.kind !== "call" && node.kind !== "index") return null;
  const variable = (node.kind === "call" ? fetched : element).exec(text(node))?.[1];
  return variable === undefined ? null : { variable, fallback: part(node, "arguments")?.children[1] ?? null };
}
