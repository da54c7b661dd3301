import type { Decision } from "@whence/protocol";
import type { Tone } from "../../components/badge.tsx";

/** Why failures were not investigated, by rule, the ones that settings can change first (docs/incidents.md). */
export const skippedNames: Readonly<Record<string, string>> = {
  "budget-spent": "Hourly limit reached",
  "below-threshold": "Below threshold",
  "muted-failure": "Failure muted",
  "muted-service": "Service muted",
  "env-not-monitored": "Environment not monitored",
  "short-lived": "Finished job",
  "replaced-by-release": "Replaced by a release",
  "heard-again": "Reported again",
};

/** Returns a short name for a decision, and how prominent it is. */
export function decisionName({ outcome, rule }: Decision): { readonly name: string; readonly tone: Tone } {
  if (outcome === "opened") return { name: "Opened an incident", tone: "good" };
  if (outcome === "joined") return { name: "Added to an incident", tone: "good" };
  return { name: skippedNames[rule] ?? `Skipped: ${rule}`, tone: rule === "budget-spent" ? "high" : "low" };
}
