import type { StepArgs } from "./value-sources.ts";

type Step = Pick<StepArgs, "name" | "code">;

/** `target = value` or `key: value`, as written. */
export interface Assigned {
  readonly target: string;
  readonly value: string;
  /** Whether the target is a destructuring pattern: `{ url }`, `cfg, _`. */
  readonly isPattern: boolean;
}

const pattern = /^(\{[^{}]*\}|\[[^[\]]*\]|[\w$.@]+(?:, ?[\w$.@]+)+)\s*:?=(?![=>])\s*(\S.*)$/s;
const single =
  /^(?:(?:const|let|var)\s+)?([\w$.@#]+(?:\[[^\]]*\])?)(?::\s*[\w$<>[\]|., ]+?)?\s*(?::?=(?![=>~]))\s*(\S.*)$/s;
const entry = /^([\w$]+|"[^"]*"|'[^']*')\s*:(?!:)\s*(\S.*)$/s;

/** Parses an assignment or an object entry; null for any other expression. */
export function assignedIn(code: string): Assigned | null {
  const taken = pattern.exec(code);
  if (taken) return partsOf(taken, true);
  const set = single.exec(code) ?? entry.exec(code);
  return set ? partsOf(set, false) : null;
}

function partsOf([, target = "", value = ""]: RegExpExecArray, isPattern: boolean): Assigned {
  return { target, value: bare(value), isPattern };
}

/**
 * Returns whether a step's name is a word in its code that a reader wouldn't take for the value, such as a called
 * function or an index.
 */
export function isNamedByCode({ name, code }: Step): boolean {
  if (name === "" || name === "*" || name === code || /^\d+$/.test(name)) return true;
  const called = new RegExp(`(?:^|[^\\w$])${escaped(name)}\\s*(?:<[^<>()]*>)?\\(`);
  return called.test(code) || new RegExp(`(?:\\.|\\?\\.|::|->|\\[["':]?)${escaped(name)}["']?\\]?$`).test(code);
}

/**
 * Returns the text a reader would use for the value of a step: its name, or the expression where the name alone says
 * less.
 */
export function valueText(step: Step): string {
  const assigned = assignedIn(step.code);
  if (assigned) return step.name === "" || /^(?:\*|\d+)$/.test(step.name) ? assigned.target : step.name;
  return isNamedByCode(step) ? step.code : step.name;
}

/** Returns whether the code contains a name as a whole word. */
export function spells(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`).test(code);
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
