import { type CodeNode, part } from "../tree/code-node.ts";
import { type Dialect, type EnvironmentRead, words } from "../tree/dialect.ts";
import { javaFailures } from "./failures.ts";
import { javaRules } from "./rules.ts";
import { javaShapes } from "./shapes.ts";

/** Java. */
export const java: Dialect = {
  name: "java",
  grammar: "tree-sitter-java.wasm",
  endings: /\.java$/,
  shapes: javaShapes,
  nothing: "null",
  self: words("this super"),
  hasSelfParameter: false,
  returnsLast: false,
  raising: new Set(),
  errorMaking: new Set(),
  constructors: words("<init>"),
  calls: {
    lookups: words(
      "get getOrDefault getProperty getParameter getHeader getAttribute getString getInteger getInt getLong getBoolean findFirst findAny findById findOne remove poll peek getFirst",
    ),
    handOn: words(
      "trim strip toLowerCase toUpperCase split substring replace toString valueOf of ofNullable map filter stream collect toList format join concat asList copyOf requireNonNull orElse orElseGet orElseThrow iterator entrySet values keySet",
    ),
    parsing: words("readValue readTree fromJson parse"),
    outside: words("send execute exchange getForObject executeQuery readString readAllBytes readLine"),
    computing: words("parseInt parseLong parseDouble parseBoolean intValue longValue size length indexOf"),
    each: words("map forEach filter flatMap anyMatch allMatch mapToInt mapToLong removeIf ifPresent"),
    putting: words("put set setAttribute setProperty putIfAbsent header"),
  },
  failures: javaFailures,
  rules: javaRules,
  environment: environmentRead,
};

const read = /^System\.(?:getenv|getProperty)\(\s*"([\w.]{1,100})"/;

function environmentRead(node: CodeNode, text: (node: CodeNode) => string): EnvironmentRead | null {
  if (node.kind !== "call") return null;
  const on = part(node, "on");
  if (!on || text(on) !== "System") return null;
  const variable = read.exec(text(node))?.[1];
  return variable === undefined ? null : { variable, fallback: part(node, "arguments")?.children[1] ?? null };
}
