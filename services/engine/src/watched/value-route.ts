import { assignedIn } from "../signals/code/step-code.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";

const pathPattern = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*$/;
/** A cast or an awaited value, around what is read. */
const wrapped = /^(?:await\s+)?(.*?)(?:\s+as\s+[\w$.<>[\]]+)?$/s;

/** Where the failing value is at a step of its trail. */
export interface ValueAt {
  /** The name of a variable, and the fields from there. */
  readonly path: readonly [string, ...string[]];
  /** Whether a variable has it only after the line ran. */
  readonly isAfter: boolean;
}

/** Returns which variable has the failing value at a signal, and in which field; null where the code doesn't show it. */
export function valueAt(signal: AnyCodeSignal): ValueAt | null {
  const base = baseOf(signal);
  const [name, ...fields] = base?.path ?? [];
  const needed = neededOf(signal);
  return base && name !== undefined && needed ? { ...base, path: [name, ...fields, ...needed] } : null;
}

/** Returns whether a step holds only what the failing value is missing from: it doesn't name the value. */
export function isPassedInside(signal: AnyCodeSignal): boolean {
  return (neededOf(signal)?.length ?? 0) > 0;
}

/** Returns the fields of what a step yields that lead to the failing value; null where the code doesn't show them. */
function neededOf({ towards, ...signal }: AnyCodeSignal): readonly string[] | null {
  if (!towards) return [];
  const taken = takenBy(towards);
  const needed = neededOf(towards);
  if (!taken || !needed) return null;
  const [field, ...rest] = [...taken, ...needed];
  // An entry of an object, or a field that is read on its own, is what the object's user needs.
  const isEntry = signal.kind === "value-step" && signal.args.how === "property" && field === entryOf(signal.args.code);
  return isEntry ? rest : [...taken, ...needed];
}

/** Returns the variable or expression that has what a step yields. */
function baseOf(signal: AnyCodeSignal): ValueAt | null {
  if (signal.kind === "bad-value") return at(pathOf(signal.args.expression));
  if (signal.kind !== "value-step") return null;
  const { how, name, code } = signal.args;
  if (how === "parameter") return at(pathOf(name));
  if (how === "argument") return at(pathOf(code));
  if (how === "property" || how === "answer-field") return at(pathOf(assignedIn(code)?.value ?? code));
  if (how === "return" || how === "returns-nothing" || how === "missing-key") return null;
  return at(pathOf(name), true);
}

function at(path: readonly [string, ...string[]] | null, isAfter = false): ValueAt | null {
  return path && { path, isAfter };
}

/** Returns the fields that a step reads of what the step before yields. */
function takenBy(signal: AnyCodeSignal): readonly string[] | null {
  if (signal.kind === "bad-value") return pathOf(signal.args.expression)?.slice(1) ?? null;
  if (signal.kind !== "value-step") return null;
  const { how, name, code } = signal.args;
  if (how === "parameter") return code.startsWith("{") ? [takenAs(name, code)] : [];
  const set = assignedIn(code);
  if (set?.isPattern && set.target.startsWith("{")) return [takenAs(name, set.target)];
  return pathOf(set?.value ?? code)?.slice(1) ?? [];
}

function entryOf(code: string): string | undefined {
  return assignedIn(code)?.target ?? pathOf(code)?.at(-1);
}

/** Returns the field that a destructuring pattern gives to a name: `quantity` of `{ quantity: wanted }`. */
function takenAs(name: string, pattern: string): string {
  return new RegExp(`([\\w$]+)["']?\\s*:\\s*${name.replaceAll("$", "\\$")}\\b`).exec(pattern)?.[1] ?? name;
}

function pathOf(expression: string): readonly [string, ...string[]] | null {
  const [, own = ""] = wrapped.exec(expression.trim()) ?? [];
  const [name, ...fields] = pathPattern.test(own) ? own.split(/\??\./) : [];
  return name === undefined ? null : [name, ...fields];
}
