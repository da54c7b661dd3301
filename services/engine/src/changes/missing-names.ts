import type { ParsedError } from "../findings/parsed-error.ts";
import { type AnyCodeSignal, missingIn } from "../signals/signal.ts";

const namesMax = 30;
/** Words that validators quote and that aren't fields. */
const ordinary: ReadonlySet<string> = new Set(
  "string number boolean object array undefined null true false type code path message error errors name value expected received invalid_type reading".split(
    " ",
  ),
);

/**
 * Returns the fields, keys, and functions that the failing code didn't find: along the value's trail, and as the error
 * names them. The property read from the missing value isn't one of them.
 */
export function missingNames(error: ParsedError, signals: readonly AnyCodeSignal[]): ReadonlySet<string> {
  const traced = signals.flatMap((signal) => missingIn(signal));
  const said = error.chain.flatMap((index) => quotedNames(error.exceptions[index]?.message ?? ""));
  return new Set([...traced, ...said].filter((name) => name.length > 1 && !ordinary.has(name)).slice(0, namesMax));
}

/** A column or table behind its tables and schemas, as databases print it. */
const column = String.raw`["'\x60]?(?:[\w$-]+["\x60]?\.["\x60]?)*([\w$]+)["'\x60]?`;
/** How PostgreSQL, SQLite, MySQL, SQL Server, and Oracle say that one doesn't exist. */
const missingInDatabase: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:column|relation|table) ${column} (?:of relation \S+ )?(?:does not|doesn't) exist`, "gi"),
  new RegExp(
    String.raw`\b(?:no such (?:column|table):|has no column named|unknown column|invalid (?:column|object) name|ORA-00904:) ${column}`,
    "gi",
  ),
];

function quotedNames(message: string): string[] {
  const missing = message.replace(/\((?:reading|setting|evaluating) '[^']*'\)/g, "");
  return [/["'`]([A-Za-z_$][\w$]{1,60})["'`]/g, ...missingInDatabase].flatMap((pattern) =>
    [...missing.matchAll(pattern)].flatMap(({ 1: name }) => name ?? []),
  );
}
