import type { Scalar } from "../../findings/parsed-error.ts";

/** Longest name of a property, in UTF-16 units. */
const propertyNameUnitsMax = 102;
/** Maximum properties printed on one line. */
const inlinePropertiesMax = 50;

/**
 * Parses `code: 'X',` as util.inspect prints a property. Null for other lines, and for objects and arrays, which aren't
 * scalars.
 */
export function parseProperty(line: string): readonly [name: string, value: Scalar] | null {
  const text = line.trim();
  const colon = text.indexOf(": ");
  if (colon <= 0 || colon > propertyNameUnitsMax) return null;
  const name = unquote(text.slice(0, colon));
  if (!/^[\w$-]{1,100}$/.test(name)) return null;
  const value = parseScalar(withoutEnding(text.slice(colon + 2)));
  return value === undefined ? null : [name, value];
}

/** Returns the properties in `… { code: 'X', errno: -2 }` at the end of a line. */
export function parseInlineProperties(line: string): Record<string, Scalar> {
  const open = line.lastIndexOf(" { ");
  if (open < 0 || !line.endsWith(" }")) return {};
  const pairs = line
    .slice(open + 3, -2)
    .split(", ", inlinePropertiesMax)
    .map(parseProperty)
    .filter((pair) => pair !== null);
  return Object.fromEntries(pairs);
}

/**
 * Strips commas, braces, and spaces from the end, in a loop, because a regular expression would start over at each of
 * them.
 */
function withoutEnding(text: string): string {
  let end = text.length;
  while (end > 0 && ",} \t".includes(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

function parseScalar(text: string): Scalar | undefined {
  if (/^-?\d[\d_]*(?:\.\d+)?n?$/.test(text)) return Number(text.replace(/[_n]/g, ""));
  if (text === "true" || text === "false") return text === "true";
  if (text === "null" || text === "undefined") return null;
  return /^(['"`])/.test(text) ? unquote(text) : undefined;
}

function unquote(text: string): string {
  const first = text[0];
  const isQuoted = (first === "'" || first === '"' || first === "`") && text.endsWith(first) && text.length > 1;
  return isQuoted ? text.slice(1, -1) : text;
}
