import type { Report } from "./report.ts";

/**
 * Returns a report's confidence with its basis, the percentage once: `84% likely to be the right file.`, or
 * `10%. Only the kind of failure is known.` where the basis doesn't begin with the percentage.
 */
export function confidenceText({ score, basis }: Pick<Report["confidence"], "score" | "basis">): string {
  const percentage = `${Math.round(score * 100)}%`;
  if (basis.startsWith(`${percentage} `)) return basis;
  return basis === "" ? percentage : `${percentage}. ${basis}`;
}
