import {
  compareReports,
  hasChanged,
  type Refinement,
  type Report,
  type ReportVersion,
  renewalNews,
} from "@whence/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { answerKey, endConversations } from "../conversations/conversation-end.ts";
import type { FilesBetween } from "../investigations/refinement-db.ts";
import { lifecycleColumns, lifecycleOf } from "../lifecycle/stored-lifecycle.ts";
import { earliestNotification, type NotedOccasion, noteOccasion } from "../notifications/notification-occasion.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import { writeReportAccount } from "./report-account.ts";
import { readStoredReport } from "./stored-report.ts";

/** Versions of a report that are kept. */
const keptMax = 20;

/** The versions of an incident's report that can be read, the newest first. */
export async function reportVersions(db: Kysely<ControlTables>, incidentId: string): Promise<ReportVersion[]> {
  const rows = await db
    .selectFrom("incident_report")
    .select(["version", "at", "report_json"])
    .where("incident_id", "=", incidentId)
    .orderBy("version", "desc")
    .execute();
  return rows.flatMap(({ version, at, report_json: json }) => {
    const { report } = readStoredReport(json);
    return report ? [{ version, at, report }] : [];
  });
}

/** How far the refinement of a row's report has come. */
export function refinementOf(
  row: Pick<Selectable<IncidentTable>, "status" | "version" | "refine_at" | "refined_at" | "refined_until">,
): Refinement {
  const isRepeated = row.status === "queued" || row.status === "investigating";
  return {
    version: row.version,
    refining: isRepeated || row.refine_at !== null,
    refined_at: row.refined_at,
    refined_until: row.refine_at === null ? null : row.refined_until,
  };
}

/**
 * Stores the report as the incident's next version, and queues its announcement. `changed`: what changed before a
 * renewed report, which counts only for the releases that the incident still compares.
 */
export async function keepReport(
  transaction: Transaction<ControlTables>,
  incident: Selectable<IncidentTable>,
  report: Report,
  now: Date,
  changed: FilesBetween | null = null,
): Promise<void> {
  const { id, scope_id: scopeId, attempt, held_until: heldUntil } = incident;
  const version = incident.version + 1;
  const json = JSON.stringify(report);
  await transaction
    .updateTable("incident")
    .set({
      version,
      report_json: json,
      category: report.root_cause.category,
      root_cause_summary: report.root_cause_summary,
      confidence: report.confidence.score,
    })
    .where("id", "=", id)
    .execute();
  await transaction
    .insertInto("incident_report")
    .values({ incident_id: id, version, at: now.toISOString(), report_json: json })
    .execute();
  await transaction
    .deleteFrom("incident_report")
    .where("incident_id", "=", id)
    .where("version", "<=", version - keptMax)
    .execute();
  await compareRenewed(transaction, incident, report, changed);
  await writeReportAccount(transaction, { id, attempt }, report, now);
  const known = knownReport(incident);
  const notBefore = earliestNotification(heldUntil, now);
  await endConversations(transaction, {
    incidentId: id,
    status: "COMPLETED",
    key: answerKey(id, version),
    notBefore,
    now,
    isCorrected: !known || compareReports(known, report).cause,
  });
  const occasion = occasionOf(known, report, version);
  if (occasion) await noteOccasion(transaction, { scopeId, incidentId: id, ...occasion }, notBefore);
}

/** Notes what is new in a renewed report, and whether it names the cause of the one before. */
async function compareRenewed(
  transaction: Transaction<ControlTables>,
  incident: Selectable<IncidentTable>,
  report: Report,
  changed: FilesBetween | null,
): Promise<void> {
  const lifecycle = lifecycleOf(incident);
  const known = knownReport(incident);
  if (!known || !lifecycle.renewal || lifecycle.renewal.same_cause !== null) return;
  const isSame = !compareReports(known, report).cause;
  const { release, release_before: before } = lifecycle.renewal;
  const files = changed?.from === before && changed.to === release ? changed.files : null;
  const renewal = { ...lifecycle.renewal, same_cause: isSame, news: renewalNews(known, report, files) };
  const columns = lifecycleColumns({ ...lifecycle, renewal });
  await transaction.updateTable("incident").set(columns).where("id", "=", incident.id).execute();
}

/** Like {@link keepReport} if the report differs from the current version; otherwise only its impact and what wasn't checked are updated. */
export async function keepReportIfNew(
  transaction: Transaction<ControlTables>,
  incident: Selectable<IncidentTable>,
  report: Report,
  now: Date,
): Promise<void> {
  const known = knownReport(incident);
  if (!known || hasChanged(compareReports(known, report))) return keepReport(transaction, incident, report, now);
  await transaction
    .updateTable("incident")
    .set({ report_json: JSON.stringify({ ...known, impact: report.impact, not_checked: report.not_checked }) })
    .where("id", "=", incident.id)
    .execute();
}

function knownReport({ report_json: json }: Selectable<IncidentTable>): Report | null {
  return json === null ? null : (readStoredReport(json).report ?? null);
}

/**
 * Returns the occasion that announces a report: the first version, or a later one with another cause. A more confident
 * version with the same cause repeats the first occasion, for rules with a minimum confidence: a rule announces each
 * occasion once.
 */
function occasionOf(
  known: Report | null,
  report: Report,
  version: number,
): Pick<NotedOccasion, "kind" | "version"> | null {
  if (!known) return { kind: "completed" };
  if (compareReports(known, report).cause) return { kind: "corrected", version };
  return report.confidence.score > known.confidence.score ? { kind: "completed" } : null;
}
