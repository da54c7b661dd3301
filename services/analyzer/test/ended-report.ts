import type { Prediction, Report, Trigger } from "@whence/protocol";
import type { TestService } from "./test-service.ts";

/** A report as an investigation writes it. */
export function reportWith(changes: Partial<Report> = {}): Report {
  return {
    root_cause_summary: "It broke [e1].",
    root_cause: { category: "bad-config", statement: "It broke [e1].", location: null, service: null },
    chain: [{ what: "it broke", evidence_ids: ["e1"] }],
    candidates: [],
    detailed_analysis: "It broke [e1].",
    ...{ short_term_solutions: [], long_term_solutions: [], evidence: [], timeline: [], not_checked: [] },
    impact: {
      ...{ summary: "", first_seen: null, last_seen: null, events: 0 },
      ...{ services: [], routes: [], hosts: [], releases: [] },
    },
    confidence: { score: 0.7, basis: "nothing" },
    predictions: [],
    provenance: {},
    engine: { name: "whence", version: "0.0.0" },
    ...changes,
  };
}

/** A prediction that can be watched until then. */
export function prediction(
  due: string,
  watch: NonNullable<Prediction["watch"]>,
  changes: Partial<Prediction> = {},
): Prediction {
  const told = { statement: "It comes again.", check: "Count.", refuted_by: "It does not come again." };
  return { ...told, due, outcome: "open", watch, ...changes };
}

/** An incident of the scope whose investigation ended with the report. */
export async function endedIncident(
  { control, clock }: Pick<TestService, "control" | "clock">,
  scopeId: string,
  report: Report = reportWith(),
  trigger: Trigger = { kind: "analyze", agent_id: null, files: 0 },
): Promise<string> {
  const { incidents } = control.scope(scopeId);
  const now = new Date(clock.now);
  const { id } = await incidents.open({
    ...{ title: "Error: boom", severity: "medium", trigger },
    ...{ service: null, env: null, fingerprint: null, now },
    decision: { outcome: "opened", rule: "analyze-request", reason: "asked" },
    input: { kind: "text", errorLog: "Error: boom", files: [] },
  });
  await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now);
  return id;
}
