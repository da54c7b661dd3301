import { analyse } from "scslre";

/** Why a regular expression can take much longer than its text is long. */
export interface Backtracking {
  readonly growth: "exponential" | "polynomial";
  /** The repeated parts that match the same characters, as they are written: the outer one first; at most two. */
  readonly repeats: readonly string[];
}

/** A longer expression would take long to analyze. */
const patternUnitsMax = 500;
const reportsMax = 8;

/**
 * Returns why an expression backtracks; null if it doesn't, or can't be read. One that is only tried again at each
 * position of a text doesn't: most are.
 */
export function backtrackingIn(source: string, flags: string): Backtracking | null {
  if (source.length > patternUnitsMax) return null;
  try {
    const { reports } = analyse({ source, flags }, { maxReports: reportsMax, reportTypes: { Move: false } });
    const worst = reports.find(({ exponential }) => exponential) ?? reports[0];
    if (!worst || worst.type === "Move") return null;
    const quantifiers = worst.type === "Self" ? [worst.parentQuant, worst.quant] : [worst.startQuant, worst.endQuant];
    const repeats = [...new Set(quantifiers.map(({ raw }) => raw))];
    return { growth: worst.exponential ? "exponential" : "polynomial", repeats };
  } catch {
    // Not an expression of JavaScript.
    return null;
  }
}
