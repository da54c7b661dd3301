import type { Collector, Observation, SimilarIncident } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { FeedbackRepository, IncidentRepository, StoredIncidentSummary } from "@whence/storage";

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
/** Two messages are similar when this share of their words is the same, not counting those with digits (Jaccard index). */
const likenessMin = 0.7;
const wordsMin = 3;

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
        (one) => one.fingerprint !== fingerprint && likeness(one.title, title) >= likenessMin,
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

function likeness(left: string, right: string): number {
  const [ours, theirs] = [wordsOf(left), wordsOf(right)];
  if (ours.size < wordsMin || theirs.size < wordsMin) return 0;
  const common = [...ours].filter((word) => theirs.has(word)).length;
  return common / (ours.size + theirs.size - common);
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter((word) => word !== "" && !/\d/.test(word)),
  );
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
