import type { Collector, Observation, SimilarIncident } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { FeedbackRepository, IncidentRepository, StoredIncidentSummary } from "@whence/storage";
import { isSimilarMessage } from "./similar-message.ts";

/** Access to the incidents of one scope. */
export interface EarlierIncidents {
  readonly incidents: Pick<IncidentRepository, "list">;
  readonly feedback: Pick<FeedbackRepository, "records">;
  /** The title that other incidents are compared with. */
  readonly title: string;
}

const sameFailureMax = 5;
const comparedMax = 100;
const judgedMax = 200;
const shownMax = 3;

/** Collects similar incidents of the same organization, what was found then, and how people judged it. */
export function similarIncidents({ incidents, feedback, title }: EarlierIncidents): Collector {
  const name = "earlier incidents";
  return {
    name,
    async collect(findings) {
      const { fingerprint, service, id } = findings.incident;
      const of = { status: "completed", before: { id, value: "" } } as const;
      const [same, others, judged] = await Promise.all([
        fingerprint === null ? [] : incidents.list({ ...of, fingerprint, limit: sameFailureMax }),
        incidents.list({ ...of, limit: comparedMax }),
        feedback.records({ limit: judgedMax, judged: true }),
      ]);
      const alike = others.filter(
        (one) => one.fingerprint !== fingerprint && isSimilarMessage(one.title, title, one.service === service),
      );
      const found = [
        ...same.map((one) => ({ one, how: "same failure" as const })),
        ...alike.map((one) => ({
          one,
          how: one.service === service ? ("same service and message" as const) : ("similar message" as const),
        })),
      ];
      const verdicts = new Map(
        judged.map(({ incidentId, verdicts: given }) => [incidentId, given.at(-1)?.verdict ?? null]),
      );
      return found.slice(0, shownMax).map(({ one, how }) => observe(one, how, verdicts.get(one.id) ?? null, name));
    },
  };
}

/** Matches citations in a report's summary, which refer to that report's evidence. */
const citations = / ?\[e\d{1,4}(?:, e\d{1,4})*\]/g;

function observe(
  { id, created_at: at, category, root_cause_summary: summary, title }: StoredIncidentSummary,
  likenessOf: SimilarIncident["likeness"],
  verdict: SimilarIncident["verdict"],
  name: string,
): Observation {
  const found = (summary ?? "").replaceAll(citations, "");
  const similar: SimilarIncident = { id, at, likeness: likenessOf, category, summary: found, verdict };
  return observeData(
    { kind: "telemetry", name },
    { ...similar, title },
    { observed_at: at, fact: { kind: "similar-incident", similar } },
  );
}
