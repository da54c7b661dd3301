import type { ValueSource } from "../findings.ts";
import { type Expression, type Range, readExpression, textOf, valueOfKey } from "./javascript/expressions.ts";
import type { Structure } from "./javascript/structure.ts";

/** Calls that give nothing when they find nothing. */
export const lookups: ReadonlySet<string> = new Set("find get match exec pop shift at getItem findLast".split(" "));
/** Calls of which the answer comes from outside this process. */
const outside: ReadonlySet<string> = new Set(
  "fetch json text arrayBuffer query request readFile readFileSync".split(" "),
);

/** When a value with the key is returned somewhere, the returns without it are other cases. */
export function preferKeyed(
  structure: Structure,
  returns: readonly (Range | null)[],
  { path, isNullish }: { readonly path: readonly string[]; readonly isNullish: boolean },
): Range[] {
  const given = returns.filter((range) => range !== null);
  const [key] = path;
  if (key === undefined || isNullish) return given;
  const keyed = given.filter(
    ({ start }) => structure.tokens[start]?.text !== "{" || valueOfKey(structure, start, key) !== null,
  );
  return keyed.length > 0 ? keyed : given;
}

/** Whether a token is a regular expression: it is never the value that is wrong. */
export function isPattern({ tokens }: Structure, at: number): boolean {
  return tokens[at]?.kind === "regex";
}

/** Inside `for (…; i <= n; …)`: the loop runs once more than there are elements, when `n` is their number. */
export function isCountedTooFar({ tokens, partner }: Structure, at: number): boolean {
  const lookBackTokens = 60;
  for (let index = at; index > Math.max(0, at - lookBackTokens); index--) {
    const close = partner[index + 1] ?? -1;
    if (tokens[index]?.text !== "for" || close < 0 || close > at) continue;
    return tokens.slice(index, close).some(({ text }) => text === "<=");
  }
  return false;
}

/** What a call that cannot be looked into is known for. */
export function kindOfCall(structure: Structure, call: Expression & { kind: "call" }, isAwaited: boolean): ValueSource {
  const name = call.name ?? "";
  if (textOf(structure, call.callee) === "JSON.parse") return "parsed-text";
  if (outside.has(name) && (isAwaited || name.endsWith("Sync"))) return "outside-answer";
  if (lookups.has(name)) return "lookup";
  return isAwaited ? "awaited-call" : "call";
}

/** Whether an expression can have the value undefined or null. */
export function mayBeNullish(structure: Structure, range: Range): boolean {
  const { expression, isNew, alternatives } = readExpression(structure, range);
  if (alternatives.some((one) => mayBeNullish(structure, one))) return true;
  if (isNew || expression.kind === "template" || expression.kind === "function" || expression.kind === "other")
    return false;
  return expression.kind !== "literal" || expression.isNullish;
}

/** What stands between `${` and `}` of a template. */
export function insertions({ tokens, partner }: Structure, { start, end }: Range): Range[] {
  const found: Range[] = [];
  for (let index = start; index < end; index++) {
    const close = partner[index] ?? -1;
    if (tokens[index]?.text === "${" && close > index) found.push({ start: index + 1, end: close });
  }
  return found;
}
