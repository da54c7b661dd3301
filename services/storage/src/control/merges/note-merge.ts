import type { Actor } from "@whence/protocol";
import type { Transaction } from "kysely";
import { writeEntry } from "../audit/audit-log.ts";
import { isAgentScope } from "../ids.ts";
import { mergeActivity } from "../incidents/merge-activity.ts";
import { writeActivity } from "../lifecycle/incident-activity.ts";
import type { ControlTables } from "../tables.ts";

/** What happened to an incident and the one that it was merged into. */
export interface NotedMerge {
  readonly scopeId: string;
  readonly what: "merged" | "separated";
  /** The one that is merged, or was. */
  readonly other: NotedIncident;
  readonly target: NotedIncident;
  readonly by: Actor;
  readonly now: Date;
}

interface NotedIncident {
  readonly id: string;
  readonly title: string;
}

const names = {
  merged: { ofTarget: "merged", ofOther: "merged-into", action: "incident.merged" },
  separated: { ofTarget: "split-off", ofOther: "unmerged", action: "incident.unmerged" },
} as const;

/** Writes a merge, or its end, into the activity of both incidents and into the audit log. */
export async function noteMerge(
  transaction: Transaction<ControlTables>,
  { scopeId, what, other, target, by, now }: NotedMerge,
): Promise<void> {
  const { ofTarget, ofOther, action } = names[what];
  await writeActivity(transaction, target.id, mergeActivity(ofTarget, other, by, now));
  await writeActivity(transaction, other.id, mergeActivity(ofOther, target, by, now));
  // An agent that no organization has claimed has no audit log.
  if (!isAgentScope(scopeId)) await writeEntry(transaction, scopeId, { action, target: other.id, by, now });
}
