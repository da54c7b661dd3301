import type { AgentStatus, AnalyzeResponse, Incident, Report } from "@whence/protocol";
import { categorySchema, citedIds, incidentStatuses, locationSchema } from "@whence/protocol";
import { z } from "zod";
import { type FieldPath, isFieldPath, provenanceOf, provenanceSchema } from "./provenance.ts";

const candidatesMax = 3;
/** The number of pieces of evidence that the summary cites, and characters quoted of each. */
const evidenceMax = 5;
const excerptLengthMax = 800;

const reportSchema = z.object({
  title: z.string(),
  root_cause_summary: z.string(),
  category: categorySchema,
  location: locationSchema.nullable(),
  confidence: z.number(),
  candidates: z.array(z.object({ statement: z.string(), location: locationSchema.nullable(), score: z.number() })),
  short_term_solutions: z.array(z.object({ title: z.string(), detail: z.string() })),
  evidence: z.array(
    z.object({ id: z.string(), source: z.string(), location: locationSchema.nullable(), excerpt: z.string() }),
  ),
  not_checked: z.array(z.string()),
});

/** The structured content of `run_rca`. */
export const rcaResultSchema = z.object({
  url: z.string().describe("the full analysis"),
  incident_id: z.string(),
  status: z
    .enum(incidentStatuses)
    .describe("queued or investigating: the analysis continues, and its report will be at the url"),
  report: reportSchema.optional().describe("a short form of the report, if it was ready in time"),
  failure: z.string().optional().describe("why the analysis failed"),
  agent: z
    .object({
      status: z.enum(["unclaimed", "claimed"]),
      claim_url: z.string().optional(),
      expires_at: z.string().optional(),
    })
    .optional()
    .describe("the agent that this server registered itself as; unclaimed ones expire"),
  provenance: z
    .record(z.string(), provenanceSchema)
    .describe("for each field above, by path: who wrote it and how it may be used"),
});
export type RcaResult = z.infer<typeof rcaResultSchema>;

/** An agent as shown, with its claim URL while that is useful. */
export interface ShownAgent {
  readonly status: AgentStatus["status"];
  readonly claimUrl: string;
  readonly expiresAt: string | null;
}

/** Returns what was started, what is known so far, and the author of each field. */
export function rcaResult(
  started: Pick<AnalyzeResponse, "url" | "incident_id"> & Pick<Incident, "status">,
  incident: Incident | null,
  agent: ShownAgent | null,
): RcaResult {
  const shown = agent ? { agent: presentAgent(agent) } : {};
  const report = incident?.report ? { report: shorten(incident.title, incident.report) } : {};
  const failure = incident?.failure ? { failure: `${incident.failure.code}: ${incident.failure.message}` } : {};
  const { url, incident_id } = started;
  const result = { url, incident_id, status: incident?.status ?? started.status, ...report, ...failure, ...shown };
  return { ...result, provenance: provenanceOf(fieldsOf(result), incident?.report?.provenance) };
}

function presentAgent({ status, claimUrl, expiresAt }: ShownAgent): NonNullable<RcaResult["agent"]> {
  if (status === "claimed") return { status };
  return { status, claim_url: claimUrl, ...(expiresAt === null ? {} : { expires_at: expiresAt }) };
}

function shorten(title: string, report: Report): NonNullable<RcaResult["report"]> {
  const { category, location } = report.root_cause;
  return {
    title,
    root_cause_summary: report.root_cause_summary,
    category,
    location,
    confidence: report.confidence.score,
    candidates: report.candidates
      .slice(0, candidatesMax)
      .map(({ statement, location: place, score }) => ({ statement, location: place, score })),
    short_term_solutions: report.short_term_solutions.map(({ title: what, detail }) => ({ title: what, detail })),
    evidence: citedEvidence(report),
    not_checked: report.not_checked,
  };
}

/** Returns the evidence that the summary cites, as in `[e1]`. */
function citedEvidence({
  root_cause_summary: summary,
  evidence,
}: Report): NonNullable<RcaResult["report"]>["evidence"] {
  const cited = new Set(citedIds(summary));
  return evidence
    .filter(({ id }) => cited.has(id))
    .slice(0, evidenceMax)
    .map(({ id, source, location, excerpt }) => ({
      id,
      source: source.name,
      location,
      excerpt: excerpt.slice(0, excerptLengthMax),
    }));
}

function fieldsOf({ report, failure, agent, ...own }: Omit<RcaResult, "provenance">): FieldPath[] {
  const paths = [
    ...Object.keys(own),
    ...(failure === undefined ? [] : ["failure"]),
    ...Object.keys(agent ?? {}).map((name) => `agent.${name}`),
    ...Object.keys(report ?? {}).map((name) => `report.${name}`),
  ];
  return paths.filter(isFieldPath);
}
