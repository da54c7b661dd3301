import type { Clue, ParsedError } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import type { SourceText } from "../source-text.ts";

/** Values that are in every other file say nothing. */
const tellingUnitsMin = 4;
const valuesMax = 12;
const properties = ["port", "path", "hostname", "host", "address", "input", "specifier"];

/**
 * Places in the given files that spell a value from the error: the port that refused, the host that does not resolve,
 * the path that is missing. Configuration is often the cause and never on the stack.
 */
export function findLiterals(error: ParsedError, files: readonly SourceText[]): Clue[] {
  const values = valuesOf(error);
  return values.flatMap((value) =>
    files.flatMap((source) => {
      if (`/${source.name}`.includes("/node_modules/")) return [];
      const position = source.text.indexOf(value);
      if (position < 0) return [];
      const place = { file: source.name, line: source.lineAt(position), function: null, source };
      return [
        {
          kind: "literal-value",
          place,
          subject: value,
          says: `${inlineCode(value)} is written here`,
          steps: 1,
          how: "literal",
          isEnd: true,
        },
      ];
    }),
  );
}

function valuesOf(error: ParsedError): string[] {
  const values = new Set<string>();
  for (const index of error.chain) {
    const exception = error.exceptions[index];
    if (!exception) continue;
    for (const name of properties) {
      const value = exception.properties[name];
      if (value !== undefined && value !== null) values.add(String(value));
    }
    // What the runtime itself quotes is the name of a property or a piece of the text that it could not read.
    if (runtimeTypes.has(exception.type.split(".").at(-1) ?? "")) continue;
    for (const quoted of exception.message.match(/'[^'\n]{4,120}'|"[^"\n]{4,120}"/g) ?? [])
      values.add(quoted.slice(1, -1));
  }
  return [...values].filter((value) => value.length >= tellingUnitsMin && !commonplace.has(value)).slice(0, valuesMax);
}

const runtimeTypes: ReadonlySet<string> = new Set(
  "TypeError ReferenceError RangeError SyntaxError AttributeError KeyError IndexError NameError UnboundLocalError NoMethodError FrozenError NullPointerException ClassCastException".split(
    " ",
  ),
);
const commonplace: ReadonlySet<string> = new Set([
  "undefined",
  "null",
  "127.0.0.1",
  "localhost",
  "true",
  "false",
  "Object",
  "string",
  "number",
]);
