import type { Report } from "@whence/protocol";
import { type Action, rollBack } from "./roll-back.ts";
import { suspectRelease } from "./suspect-release.ts";

/** An on-call engineer does one thing, then the next. */
const actionsMax = 2;

/** Returns what to do now, two actions at most: a release that is the cause is rolled back first. */
export function doNow(report: Report): Action[] {
  const suspect = suspectRelease(report);
  const first = suspect === null ? [] : [rollBack(suspect, report.evidence)];
  return [...first, ...report.short_term_solutions].slice(0, actionsMax);
}
