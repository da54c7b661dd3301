import type { CodeFile } from "../trace/traced.ts";
import type { CodeUnit } from "./code-at.ts";

type Code = Pick<CodeFile, "source">;

/** A longer head or call isn't read. */
const unitsMax = 2_000;
const opening: ReadonlySet<string> = new Set(["(", "[", "{"]);
const closing: ReadonlySet<string> = new Set([")", "]", "}"]);
const quotes: ReadonlySet<string> = new Set(['"', "'", "`"]);
const spread = /^(?:\.\.\.|\*)/;
/** What methods in Python get without an argument for it. */
const receiver = /^(?:self|cls)$/;
const oneName = /^(?:async\s+)?([\w$]+)\s*=>/;
const parameter = /^([\w$]+)\s*(?:[:=?].*)?$/s;

/** Returns the names of a function's parameters in their order; null for a pattern. */
export function parameterNamesOf({ source }: Code, { function: code }: Pick<CodeUnit, "function">): (string | null)[] {
  if (!code) return [];
  const text = source.text.slice(code.start, Math.min(code.end, code.start + unitsMax));
  const [, only] = oneName.exec(text) ?? [];
  if (only !== undefined) return [only];
  const names = (splitArguments(text, text.indexOf("(")) ?? []).map((one) => parameter.exec(one)?.[1] ?? null);
  return receiver.test(names[0] ?? "") ? names.slice(1) : names;
}

/**
 * Returns what a line passes to a function by its name; null where the line doesn't call it, calls it twice, or doesn't
 * show how many arguments it passes.
 */
export function argumentsFor({ source }: Code, line: number, name: string): readonly string[] | null {
  const { start, end } = source.lines(line, line);
  const text = source.text.slice(start, start + unitsMax);
  const call = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}\\s*\\(`, "g");
  const [only, ...others] = [...text.matchAll(call)].filter(({ index }) => index < end - start);
  const passed = only && others.length === 0 ? splitArguments(text, only.index + only[0].length - 1) : null;
  return passed?.some((one) => spread.test(one)) ? null : passed;
}

/** Splits what is between the parentheses that open at a position; null where they don't close. */
function splitArguments(text: string, open: number): string[] | null {
  if (text[open] !== "(") return null;
  const found: string[] = [];
  let depth = 0;
  let from = open + 1;
  let quote = "";
  for (let at = open; at < text.length; at += 1) {
    const unit = text[at] ?? "";
    if (quote !== "") {
      if (unit === "\\") at += 1;
      else if (unit === quote) quote = "";
      continue;
    }
    if (quotes.has(unit)) quote = unit;
    if (opening.has(unit)) depth += 1;
    if (closing.has(unit)) depth -= 1;
    if (depth > 1 || (depth === 1 && unit !== ",")) continue;
    found.push(text.slice(from, at).trim());
    from = at + 1;
    if (depth === 0) return found.filter((one) => one !== "");
  }
  return null;
}
