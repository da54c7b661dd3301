import {
  type Feedback,
  type FeedbackRequest,
  feedbackSchema,
  type Opinion,
  opinionSchema,
  triggerSchema,
} from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { readRecords } from "../incidents/report-records.ts";
import type { ControlTables } from "../tables.ts";
import type { FeedbackAuthor, FeedbackRepository, GiveOutcome } from "./accuracy-db.ts";
import type { VerdictTable } from "./accuracy-tables.ts";

/** Verdicts kept per author and incident: people change their minds, programs loop. */
const revisionsMax = 20;

/** The feedback on the reports of one scope. */
export function feedbackRepository(db: Kysely<ControlTables>, scopeId: string): FeedbackRepository {
  return {
    give: (incidentId, author, opinion, now) =>
      inTransaction(db, (transaction) => give(transaction, scopeId, { incidentId, author, opinion, now })),
    records: (options) => readRecords(db, scopeId, options),
  };
}

interface Given {
  readonly incidentId: string;
  readonly author: FeedbackAuthor;
  readonly opinion: FeedbackRequest;
  readonly now: Date;
}

async function give(transaction: Transaction<ControlTables>, scopeId: string, given: Given): Promise<GiveOutcome> {
  const { incidentId } = given;
  const incident = await transaction
    .selectFrom("incident")
    .leftJoin("report_score", "report_score.incident_id", "incident.id")
    .select(["incident.status", "incident.asked_by_key_id", "incident.trigger_json", "report_score.attempt"])
    .where("incident.id", "=", incidentId)
    .where("incident.scope_id", "=", scopeId)
    .executeTakeFirst();
  if (!incident) return { outcome: "unknown" };
  if (incident.status !== "completed" || incident.attempt === null) return { outcome: "no-report" };
  const before = await latestOf(transaction, given);
  const isOwn = hasAsked(given.author, incident);
  const row = toRow(given, { attempt: incident.attempt, revision: (before?.revision ?? 0) + 1, isOwn });
  if (!before || !isSame(before, row)) {
    if (row.revision > revisionsMax) return { outcome: "too-often" };
    await transaction.insertInto("verdict").values(row).execute();
  }
  return { outcome: "kept", counts: !isOwn, feedback: await readFeedback(transaction, incidentId) };
}

function latestOf(db: Kysely<ControlTables>, { incidentId, author }: Given): Promise<VerdictTable | undefined> {
  return db
    .selectFrom("verdict")
    .selectAll()
    .where("incident_id", "=", incidentId)
    .where("author_kind", "=", author.kind)
    .where("author_id", "=", author.id)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Whether a program requested the analysis. People may judge what they requested. */
function hasAsked(
  { kind, id }: FeedbackAuthor,
  asked: { readonly asked_by_key_id: string | null; readonly trigger_json: string },
): boolean {
  if (kind === "key") return asked.asked_by_key_id === id;
  const trigger = triggerSchema.parse(JSON.parse(asked.trigger_json));
  return kind === "agent" && trigger.kind === "analyze" && trigger.agent_id === id;
}

interface Place {
  readonly attempt: number;
  readonly revision: number;
  readonly isOwn: boolean;
}

function toRow({ incidentId, author, opinion, now }: Given, { attempt, revision, isOwn }: Place): VerdictTable {
  const cause = opinion.actual_cause;
  return {
    incident_id: incidentId,
    author_kind: author.kind,
    author_id: author.id,
    revision,
    attempt,
    verdict: opinion.verdict,
    reason: opinion.reason ?? null,
    given_at: now.toISOString(),
    is_own: isOwn ? 1 : 0,
    actual_cause_json: cause && Object.keys(cause).length > 0 ? JSON.stringify(cause) : null,
  };
}

function isSame(left: VerdictTable, right: VerdictTable): boolean {
  return (["attempt", "verdict", "reason", "actual_cause_json"] as const).every((name) => left[name] === right[name]);
}

/** The feedback on an incident's reports, the latest verdict first. */
export async function readFeedback(db: Kysely<ControlTables>, incidentId: string): Promise<Feedback[]> {
  const rows = await db
    .selectFrom("verdict")
    .innerJoin("report_score", "report_score.incident_id", "verdict.incident_id")
    .selectAll("verdict")
    .select("report_score.attempt as present")
    .where("verdict.incident_id", "=", incidentId)
    .orderBy("verdict.given_at", "desc")
    .orderBy("verdict.revision", "desc")
    .execute();
  const authors = Map.groupBy(rows, (row) => `${row.author_kind} ${row.author_id}`);
  return [...authors.values()].flatMap(([latest, ...earlier]) => {
    if (!latest) return [];
    const author = { kind: latest.author_kind, id: latest.author_id };
    return [
      feedbackSchema.parse({ author, ...toOpinion(latest), counts: counts(latest), earlier: earlier.map(toOpinion) }),
    ];
  });
}

function counts({ is_own: isOwn, attempt, present }: VerdictTable & { present: number }): boolean {
  return isOwn === 0 && attempt === present;
}

function toOpinion(row: VerdictTable & { present: number }): Opinion {
  return opinionSchema.parse({
    verdict: row.verdict,
    reason: row.reason,
    at: row.given_at,
    on_earlier_report: row.attempt !== row.present,
    actual_cause: row.actual_cause_json === null ? null : JSON.parse(row.actual_cause_json),
  });
}
