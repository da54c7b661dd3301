import type { FailureSummary } from "@whence/protocol";

/** What the budget is for. */
const budgetSpanMs = 3_600_000;

/** How many of the failures, the latest decided first, the spent budget left alone within its span; null: none. */
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
