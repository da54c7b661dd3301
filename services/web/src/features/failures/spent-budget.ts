import { type FailureSummary, hourMs } from "@whence/protocol";

/** The span that the incident limit applies to. */
const budgetSpanMs = hourMs;

/**
 * Returns how many of the failures, the latest decided first, were skipped because of the limit within its span; null
 * when none were.
 */
export function spentBudget(
  failures: readonly FailureSummary[],
  now: number,
): { readonly failures: number; readonly latestAt: string } | null {
  const lately = failures.filter(
    ({ decision, decided_at: at }) => decision.rule === "budget-spent" && now - Date.parse(at) < budgetSpanMs,
  );
  const [latest] = lately;
  return latest ? { failures: lately.length, latestAt: latest.decided_at } : null;
}
