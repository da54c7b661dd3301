import { type Activity, type PullRequest, pullRequestSchema } from "@whence/protocol";
import type { Transaction } from "kysely";
import { writeEntry } from "../audit/audit-log.ts";
import { writeActivity } from "../lifecycle/incident-activity.ts";
import { lockIncident } from "../lifecycle/lock-incident.ts";
import type { ControlTables } from "../tables.ts";
import type { OpenedPullRequest } from "./incident-db.ts";

/** Records a pull request, unless the incident has one; returns the one that it has, and null without an incident. */
export async function recordPullRequest(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentId: string,
  { pullRequest, by, now }: OpenedPullRequest,
): Promise<PullRequest | null> {
  const incident = await lockIncident(transaction, scopeId, incidentId);
  if (!incident) return null;
  if (incident.pull_request_json !== null) return readPullRequest(incident.pull_request_json);
  const json = JSON.stringify(pullRequestSchema.parse(pullRequest));
  await transaction.updateTable("incident").set({ pull_request_json: json }).where("id", "=", incidentId).execute();
  const activity: Activity = {
    kind: "pull-request",
    at: now.toISOString(),
    by,
    mute: null,
    resolved_in: null,
    release: null,
  };
  await writeActivity(transaction, incidentId, activity);
  await writeEntry(transaction, scopeId, { action: "incident.pull-request-opened", target: incidentId, by, now });
  return pullRequest;
}

/** The stored pull request of an incident. */
export function readPullRequest(json: string): PullRequest {
  return pullRequestSchema.parse(JSON.parse(json));
}
