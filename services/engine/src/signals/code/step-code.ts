import type { StepArgs } from "./value-sources.ts";

type Step = Pick<StepArgs, "name" | "code">;

/** `target = value` or `key: value`, as written. */
export interface Assigned {
  readonly target: string;
  readonly value: string;
  /** Whether the target takes the value apart: `{ url }`, `cfg, _`. */
  readonly isPattern: boolean;
}

const pattern = /^(\{[^{}]*\}|\[[^[\]]*\]|[\w$.@]+(?:, ?[\w$.@]+)+)\s*:?=(?![=>])\s*(\S.*)$/s;
const single =
  /^(?:(?:const|let|var)\s+)?([\w$.@#]+(?:\[[^\]]*\])?)(?::\s*[\w$<>[\]|., ]+?)?\s*(?::?=(?![=>~]))\s*(\S.*)$/s;
const entry = /^([\w$]+|"[^"]*"|'[^']*')\s*:(?!:)\s*(\S.*)$/s;

/** Reads an assignment or an entry of an object; null for any other expression. */
export function assignedIn(code: string): Assigned | null {
  const taken = pattern.exec(code);
  if (taken) return partsOf(taken, true);
  const set = single.exec(code) ?? entry.exec(code);
  return set ? partsOf(set, false) : null;
}

function partsOf([, target = "", value = ""]: RegExpExecArray, isPattern: boolean): Assigned {
  return { target, value: bare(value), isPattern };
}

/** Whether a step's name is a word of its code that a reader wouldn't take for the value: a called function, an index. */
export function isNamedByCode({ name, code }: Step): boolean {
  if (name === "" || name === "*" || name === code || /^\d+$/.test(name)) return true;
  const called = new RegExp(`(?:^|[^\\w$])${escaped(name)}\\s*(?:<[^<>()]*>)?\\(`);
  return called.test(code) || new RegExp(`(?:\\.|\\?\\.|::|->|\\[["':]?)${escaped(name)}["']?\\]?$`).test(code);
}

/** What a reader would call the value of a step: its name, or the expression where the name alone says less. */
export function valueText(step: Step): string {
  const assigned = assignedIn(step.code);
  if (assigned) return step.name === "" || /^(?:\*|\d+)$/.test(step.name) ? assigned.target : step.name;
  return isNamedByCode(step) ? step.code : step.name;
}

/** Whether the code spells a name as a word of its own. */
export function spells(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`).test(code);
}

/** A line of data without the comma behind it. */
export function bare(code: string): string {
  return code.replace(/[,;]$/, "");
}

/** Whether a file holds data and no code. */
export function isDataFile(file: string): boolean {
  return /\.(?:json5?|ya?ml|toml|properties|ini|env|xml|csv)$/i.test(file);
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}
