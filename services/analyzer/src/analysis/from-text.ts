import type { NewIncident } from "@whence/storage";
import type { AskedText } from "./analysis-body.ts";

/** Returns the incident for a text that someone wants analyzed. The request itself is the reason. */
export function incidentFromText({ title, input }: AskedText, agentId: string | null, now: Date): NewIncident {
  return {
    title,
    severity: "medium",
    trigger: { kind: "analyze", agent_id: agentId, files: input.files.length },
    service: null,
    env: null,
    fingerprint: null,
    decision: { outcome: "opened", rule: "analyze-request", reason: "someone requested an analysis" },
    input,
    now,
  };
}
