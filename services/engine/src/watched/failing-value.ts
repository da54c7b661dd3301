import { undefinedOrNull } from "../signals/code/bad-value.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { throwingSignal } from "../signals/throwing-signal.ts";

/** The value that failed. */
export interface FailingValue {
  /** Returns whether a value, as a watched run writes it, is it. */
  readonly is: (text: string | undefined) => boolean;
  /** The names in the expression that had it; of a field, those of the object. */
  readonly names: ReadonlySet<string>;
  /** The field of an object that had it; null where a variable or a call did. */
  readonly field: string | null;
  /** Returns whether a value is an object whose field has it. */
  readonly isIn: (text: string | undefined) => boolean;
}

const isMissing = (was: string): boolean => was === "undefined" || was === "null" || was === "None";
const names = /[A-Za-z_$][\w$]*/g;

/**
 * Returns what identifies the failing value; null where the error doesn't say, the value is too common to recognize, or
 * it was missing deeper in an object.
 */
export function failingValueOf(signals: readonly AnyCodeSignal[]): FailingValue | null {
  const site = throwingSignal(signals);
  if (site?.kind !== "bad-value") return null;
  const { was, path } = site.args;
  const expression = site.args.operand ?? site.args.expression;
  const wanted =
    was === "no number" ? ["NaN"] : was === undefinedOrNull ? ["undefined", "null"] : [was].filter(isMissing);
  const isVariable = path?.length === 1;
  const [holder = null, field = null] = path?.length === 2 ? path : [];
  const isReturned = expression.endsWith(")");
  if (wanted.length === 0 || !(isVariable || isReturned || field !== null)) return null;
  return {
    is: (text) => text !== undefined && wanted.includes(text),
    names: new Set(holder === null ? expression.match(names) : [holder]),
    field,
    isIn: (text) =>
      field !== null &&
      text !== undefined &&
      wanted.some((one) => fieldsOf(text).includes(`${JSON.stringify(field)}: ${one}`)),
  };
}

/** Splits an object, as a watched run writes it, into its own fields; what is nested in them is left out. */
function fieldsOf(text: string): string[] {
  if (!/^\{.*\}$/s.test(text)) return [];
  const flat = text
    .slice(1, -1)
    .replace(/("(?:[^"\\]|\\.)*")(:?)/g, (_, quoted: string, colon: string) => (colon === "" ? '""' : `${quoted}:`))
    .replace(/\{[^{}]*\}|\[[^[\]]*\]/g, "");
  return flat.split(", ");
}
