import type { Location } from "@whence/protocol";
import type { StepArgs } from "./value-sources.ts";

type Step = Pick<StepArgs, "name" | "code" | "assigned">;

/**
 * Returns whether a step's name is a word in its code that a reader wouldn't take for the value, such as a called
 * function or an index.
 */
export function isNamedByCode({ name, code }: Pick<Step, "name" | "code">): boolean {
  if (name === "" || name === "*" || name === code || /^\d+$/.test(name)) return true;
  const called = new RegExp(`(?:^|[^\\w$])${escaped(name)}\\s*(?:<[^<>()]*>)?\\(`);
  return called.test(code) || new RegExp(`(?:\\.|\\?\\.|::|->|\\[["':]?)${escaped(name)}["']?\\]?$`).test(code);
}

/**
 * Returns the text a reader would use for the value of a step: its name, or the expression where the name alone says
 * less.
 */
export function valueText({ assigned, ...step }: Step): string {
  if (assigned) return step.name === "" || /^(?:\*|\d+)$/.test(step.name) ? assigned.target : step.name;
  return isNamedByCode(step) ? step.code : step.name;
}

/** Returns whether a step is named for the function that it is in. */
export function isOwnName({ name, place }: Pick<Step, "name"> & { readonly place: Location }): boolean {
  return place.function?.split(/[.#:]/).at(-1) === name;
}

/** Returns whether the code contains a name as a whole word. */
export function spells(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`).test(code);
}

/** Returns whether a literal is only a part of the expression that a step is named for. */
export function isPartLiteral({ name, code }: Pick<Step, "name" | "code">): boolean {
  return name !== code && spells(name, code);
}

/** Returns whether an expression calls something on the result of a call, so an argument of one of them says little. */
export function isChainOfCalls(expression: string): boolean {
  return /\)\s*(?:\?\.|\.)\s*[\w$]+\s*\(/.test(expression);
}

/** Returns a line of data without the trailing comma. */
export function bare(code: string): string {
  return code.replace(/[,;]$/, "");
}

/** Returns whether a file holds data rather than code. */
export function isDataFile(file: string): boolean {
  return /\.(?:json5?|ya?ml|toml|properties|ini|env|xml|csv)$/i.test(file);
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}

/** Returns the last name of a path: `amount` for `payment.amount` and for `body["amount"]`. */
export function lastName(path: string): string | null {
  return /[\w$]+$/.exec(path.replace(/["'\])]+$/, ""))?.[0] ?? null;
}
