import { analyse } from "scslre";

/** The reason why a regular expression can take time out of proportion to the length of its text. */
export interface Backtracking {
  readonly growth: "exponential" | "polynomial";
  /** The repeated parts that match the same characters, as they are written: the outer one first; at most two. */
  readonly repeats: readonly string[];
}

/** A longer expression would take long to analyze. */
const patternUnitsMax = 500;
/** The time of the analysis doubles with each repeated group inside another. */
const nestingMax = 10;
const reportsMax = 8;

/**
 * Returns why a regular expression backtracks; null if it doesn't, or can't be parsed. Retrying at each position of the
 * text doesn't count, because most expressions do.
 */
export function backtrackingIn(source: string, flags: string): Backtracking | null {
  if (source.length > patternUnitsMax || nestingOf(source) > nestingMax) return null;
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

/** Returns how deep groups are nested; parentheses in character classes are text. */
function nestingOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [piece] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/gs)) {
    if (piece === "(") deepest = Math.max(deepest, ++depth);
    else if (piece === ")") depth--;
  }
  return deepest;
}
