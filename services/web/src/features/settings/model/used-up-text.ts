import type { ModelStatus } from "@whence/protocol";

/**
 * Returns what it means that a budget of the day is used up. `owned` is whose model it is, for someone who may change
 * it or connect another; null for others.
 */
export function usedUpText(budget: NonNullable<ModelStatus["used_up"]>, owned: ModelStatus["source"]): string {
  const spent = budget === "tokens" ? "tokens" : "US dollars";
  const state = `Today's ${spent} are used up. Until midnight UTC, reports come from the engine alone.`;
  if (owned === null) return state;
  const remedy = owned === "organization" ? "raise the budget below" : "connect your own model below";
  return `${state} To continue today, ${remedy}.`;
}
