import { decisionSchema, incidentSchema } from "@whence/protocol";
import type { Selectable } from "kysely";
import { z } from "zod";
import { isAgentScope } from "../ids.ts";
import { lifecycleOf } from "../lifecycle/stored-lifecycle.ts";
import { acknowledgmentOf } from "../ownership/stored-owner.ts";
import type { IncidentTable } from "../tables.ts";
import type { StoredIncident } from "./incident-db.ts";
import { occurrencesOf } from "./incident-occurrences.ts";
import { readPullRequest } from "./pull-request.ts";
import { refinementOf } from "./report-versions.ts";
import { readStoredReport } from "./stored-report.ts";

const storedSchema = incidentSchema.omit({ url: true });
const failureSchema = z.object({ code: z.string(), message: z.string() });

/** A stored incident, without its owner, whose name is in another table. */
export function toIncident(row: Selectable<IncidentTable>): StoredIncident {
  const { failure_json: failure, report_json: report } = row;
  return storedSchema.parse({
    id: row.id,
    organization_id: isAgentScope(row.scope_id) ? null : row.scope_id,
    status: row.status,
    lifecycle: lifecycleOf(row),
    owner: null,
    acknowledged: acknowledgmentOf(row),
    title: row.title,
    severity: row.severity,
    trigger: JSON.parse(row.trigger_json),
    service: row.service,
    env: row.env,
    fingerprint: row.fingerprint,
    decision: decisionSchema.parse(JSON.parse(row.decision_json)),
    created_at: row.created_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
    ...occurrencesOf(row),
    ...(failure === null ? {} : { failure: failureSchema.parse(JSON.parse(failure)) }),
    ...(report === null ? {} : { ...readStoredReport(report), refinement: refinementOf(row) }),
    ...(row.pull_request_json === null ? {} : { pull_request: readPullRequest(row.pull_request_json) }),
    ...(row.merged_into === null ? {} : { merged_into: row.merged_into }),
  });
}
