import { siteOf } from "../report/trail.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";

/** The value that failed. */
export interface FailingValue {
  /** Returns whether a value, as a watched run writes it, is it. */
  readonly is: (text: string | undefined) => boolean;
  /** The names in the expression that had it. */
  readonly names: ReadonlySet<string>;
}

const missing: ReadonlySet<string> = new Set(["undefined", "null", "None"]);
/** A variable, or what a call returned: the value of anything else may have been missing in an object. */
const returnable = /^[\w$]+$|\)$/;

/**
 * Returns what tells the value that failed; null where the error doesn't say, many values are like it, or it needn't
 * have been returned by a function.
 */
export function failingValueOf(signals: readonly AnyCodeSignal[]): FailingValue | null {
  const site = siteOf(signals);
  if (site?.kind !== "bad-value" || !returnable.test(site.args.expression)) return null;
  const { was } = site.args;
  const wanted = was === "no number" ? "NaN" : missing.has(was) ? was : null;
  const names = new Set(site.args.expression.match(/[A-Za-z_$][\w$]*/g) ?? []);
  return wanted === null ? null : { is: (text) => text === wanted, names };
}
