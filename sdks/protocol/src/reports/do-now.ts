import type { Report } from "./report.ts";
import { type Action, rollBack } from "./roll-back.ts";

/** An on-call engineer does one thing, then the next. */
const actionsMax = 2;

/** Returns what to do now, two of the report's solutions at most: the one that rolls a release back first. */
export function doNow({ short_term_solutions: solutions, evidence }: Report): Action[] {
  const back = solutions.filter(({ rolls_back: to }) => to !== undefined);
  const others = solutions.filter(({ rolls_back: to }) => to === undefined);
  return [...back.slice(0, 1).map((solution) => rollBack(solution, evidence)), ...others].slice(0, actionsMax);
}
