import type { NewIncident } from "@whence/storage";
import type { AskedText } from "./analysis-body.ts";

/** The incident that an error text asks for. Asking is reason enough, so it always opens one. */
export function incidentFromText({ title, input }: AskedText, agentId: string | null, now: Date): NewIncident {
  return {
    title,
    severity: "medium",
    trigger: { kind: "analyze", agent_id: agentId, files: input.files.length },
    service: null,
    env: null,
    fingerprint: null,
    decision: { outcome: "opened", rule: "analyze-request", reason: "an analysis was asked for" },
    input,
    now,
  };
}
