import type { ModelFinding, ModelRecord } from "@whence/engine";
import type { Report } from "@whence/protocol";
import type { IncidentRepository, StoredIncident } from "@whence/storage";
import { findingsIn } from "./said-before.ts";

/** The newest incidents that count. */
const incidentsMax = 60;
/** From this confidence on, the engine's own evidence is taken as the truth. */
const knownFrom = 0.8;

/**
 * Returns how often a model named the cause where it was known: from decisive evidence of the engine's, or from people.
 * A model that names several things shares one answer among them.
 */
export async function recordOf(
  incidents: Pick<IncidentRepository, "list" | "find">,
  model: string,
): Promise<ModelRecord> {
  let [answers, right] = [0, 0];
  for (const { id } of await incidents.list({ status: "completed", limit: incidentsMax })) {
    const incident = await incidents.find(id);
    const report = incident?.report;
    if (!incident || !report || report.engine.model !== model || !isKnown(incident, report)) continue;
    const proposed = findingsIn(report).filter(({ finding }) => finding.stance === "supports");
    if (proposed.length === 0) continue;
    answers += 1;
    right += proposed.filter(({ finding }) => names(finding, report)).length / proposed.length;
  }
  return { answers, right };
}

function isKnown({ feedback }: StoredIncident, { confidence }: Report): boolean {
  const verdict = feedback?.at(-1)?.verdict;
  return verdict === "right" || (verdict === undefined && confidence.score >= knownFrom);
}

function names({ subject }: ModelFinding, { root_cause: { location, service } }: Report): boolean {
  if (subject.kind === "place") return location?.file === subject.file;
  return subject.kind !== "setting" && location === null && service === subject.service;
}
