import type { FileContent } from "@whence/protocol";
import type { NewIncident } from "@whence/storage";
import { titleOf } from "./title.ts";

/** The incident that somebody asked for by sending an error text. Asking is reason enough, so it always opens one. */
export function incidentFromText(
  errorLog: string,
  files: readonly FileContent[],
  agentId: string | null,
  now: Date,
): NewIncident {
  return {
    title: titleOf(errorLog),
    severity: "medium",
    trigger: { kind: "analyze", agent_id: agentId, files: files.length },
    service: null,
    env: null,
    fingerprint: null,
    decision: { outcome: "opened", rule: "analyze-request", reason: "an analysis was asked for" },
    input: { kind: "text", errorLog, files },
    now,
  };
}
