import { isAgentScope } from "@whence/storage";
import type { InvestigationContext } from "./investigation-context.ts";
import { investigationLanes, unclaimedLanes } from "./investigation-lanes.ts";
import { openInvestigators } from "./investigators.ts";

/** Threads for each kind of investigation, so that those of the most urgent kind run first. */
export interface RankedInvestigators {
  readonly of: NonNullable<InvestigationContext["investigatorsOf"]>;
  close(): Promise<void>;
}

/**
 * Keeps an idle thread for each failure that may be investigated at once, and for the pasted texts of one organization.
 */
export function openRankedInvestigators(perOrganization: number): RankedInvestigators {
  const { total } = investigationLanes(perOrganization);
  const failures = openInvestigators({ size: total - unclaimedLanes, rank: "failures" });
  const texts = openInvestigators({ size: perOrganization, rank: "texts" });
  const unclaimed = openInvestigators({ size: unclaimedLanes, rank: "unclaimed" });
  return {
    of(scopeId, input) {
      if (isAgentScope(scopeId)) return unclaimed;
      return input.kind === "text" && !input.about ? texts : failures;
    },
    async close() {
      await Promise.all([failures.close(), texts.close(), unclaimed.close()]);
    },
  };
}
