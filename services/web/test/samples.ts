import type {
  AccuracyFigures,
  Candidate,
  Evidence,
  FailingEvent,
  Incident,
  IncidentSummary,
  NotificationRule,
  Report,
} from "@whence/protocol";
import { notificationRuleChangeSchema, openedLifecycle } from "@whence/protocol";

/** When everything of the samples happened. */
export const noon = "2026-03-01T12:00:00.000Z";

/** An incident as a list has it. */
export function sampleSummary(changes: Partial<IncidentSummary> = {}): IncidentSummary {
  return {
    id: "inc_1",
    title: "TypeError: a is undefined",
    organization_id: "org_1",
    status: "completed",
    lifecycle: openedLifecycle(noon),
    owner: null,
    acknowledged: null,
    severity: "medium",
    service: "shop",
    env: "PROD",
    trigger: { kind: "analyze", agent_id: null, files: 0 },
    fingerprint: null,
    started_at: null,
    completed_at: null,
    decision: { outcome: "opened", reason: "", rule: "" },
    created_at: noon,
    url: "https://whence.example/incidents/inc_1",
    category: null,
    root_cause_summary: null,
    confidence: null,
    ...changes,
  };
}

/** An incident without a report. */
export function sampleIncident(changes: Partial<Incident> = {}): Incident {
  const { category: _, root_cause_summary: __, confidence: ___, ...incident } = sampleSummary();
  return { ...incident, ...changes };
}

/** A candidate in `src/cart.js`, line 12. */
export function sampleCandidate(changes: Partial<Candidate> = {}): Candidate {
  return {
    rank: 1,
    category: "null-dereference",
    statement: "`items` is undefined [e1].",
    location: { file: "src/cart.js", line: 12, function: "total" },
    service: "shop",
    score: 0.8,
    evidence_ids: ["e1"],
    support: [],
    against: [],
    ...changes,
  };
}

/** Two lines of `src/cart.js`, from line 11 on, quoted for line 12. */
export function sampleEvidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    id: "e1",
    source: { kind: "source_file", name: "src/cart.js" },
    observed_at: noon,
    summary: "`items` is read",
    excerpt: "function total(items) {\n  return items.length;",
    first_line: 11,
    location: { file: "src/cart.js", line: 12, function: "total" },
    range: { start: 0, end: 42 },
    sha256: "a".repeat(64),
    ...changes,
  };
}

/** A report with one candidate and one piece of evidence. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  const { category, statement, location, service } = sampleCandidate();
  return {
    root_cause_summary: "`items` is undefined [e1].",
    chain: [{ what: "`items` is undefined", evidence_ids: ["e1"] }],
    root_cause: { category, statement, location, service },
    candidates: [sampleCandidate()],
    detailed_analysis: "## What happened\n\nIt broke [e1].",
    short_term_solutions: [],
    long_term_solutions: [],
    evidence: [sampleEvidence()],
    timeline: [],
    impact: {
      summary: "",
      first_seen: null,
      last_seen: null,
      events: 0,
      services: [],
      routes: [],
      hosts: [],
      releases: [],
    },
    confidence: { score: 0.78, basis: "78 of 100 reports like this were right." },
    predictions: [],
    not_checked: [],
    provenance: {},
    engine: { name: "whence", version: "0.0.0" },
    ...changes,
  };
}

/** An event that came whole. */
export function sampleFailingEvent(changes: Partial<FailingEvent> = {}): FailingEvent {
  return {
    event_id: "e",
    claimed_at: null,
    redactions: [],
    withheld: false,
    kept_back: 0,
    mapped_frames: [],
    local_variables: [],
    ...changes,
  };
}

/** Figures of reports that no one judged. */
export function sampleFigures(changes: Partial<AccuracyFigures> = {}): AccuracyFigures {
  const none = { confirmed: 0, partly: 0, refuted: 0 };
  return {
    reports: 0,
    people: none,
    agents: none,
    predictions: none,
    confidence: null,
    right: null,
    brier: null,
    ...changes,
  };
}

/** A rule that mails each report to `a@example.com`. */
export function sampleRule(chosen: object = {}): NotificationRule {
  return {
    ...notificationRuleChangeSchema.parse({
      name: "On call",
      events: ["completed"],
      emails: ["a@example.com"],
      ...chosen,
    }),
    id: "ntr_1",
    changed_at: noon,
    changed_by: { id: "usr_1", name: "Ada" },
    last_delivery: null,
    held_back: 0,
  };
}
