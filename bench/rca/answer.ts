import type { Collected, InvestigationSubject } from "@whence/engine";
import { investigate } from "@whence/engine/investigate";
import type { RankingModel } from "@whence/engine/ranking";
import type { Report } from "@whence/protocol";
import type { RcaCase } from "./cases.ts";
import type { Prediction } from "./score.ts";

const investigationTimeoutMs = 60_000;

/** Investigates a case as the service investigates an analysis request, with only the error and the files. */
export async function answer(given: Pick<RcaCase, "errorLog" | "files">, model?: RankingModel): Promise<Prediction> {
  return predictionOf(await reportOn(given, model));
}

/** Returns the report on a case. */
export function reportOn(given: Pick<RcaCase, "errorLog" | "files">, model?: RankingModel): Promise<Report> {
  return reportOnSubject(subjectOf(given), { model });
}

/** Returns a case as an investigation's subject. */
export function subjectOf({ errorLog, files }: Pick<RcaCase, "errorLog" | "files">): InvestigationSubject {
  return {
    incident: { id: "inc_bench", service: null, env: null, fingerprint: null },
    input: { kind: "text", errorLog, files },
  };
}

/** Returns the report on a subject, by a ranking model and with what was collected. */
export function reportOnSubject(
  subject: InvestigationSubject,
  { model, collected }: { readonly model?: RankingModel | undefined; readonly collected?: Collected },
): Promise<Report> {
  const ports = { ...(model && { model }), ...(collected && { collected: async () => collected }) };
  return investigate(
    subject,
    { clock: Date.now, onStep: async () => undefined, ...ports },
    AbortSignal.timeout(investigationTimeoutMs),
  );
}

/** Returns a report's answer to a case. */
export function predictionOf(report: Report): Prediction {
  const places = [report.root_cause.location, ...report.candidates.map(({ location }) => location)];
  const known = new Map(places.flatMap((place) => (place ? [[JSON.stringify(place), place] as const] : [])));
  const solutions = [...report.short_term_solutions, ...report.long_term_solutions];
  return {
    ranked: [...known.values()],
    category: report.root_cause.category,
    text: [
      report.root_cause_summary,
      report.root_cause.statement,
      report.detailed_analysis,
      ...solutions.map(({ title, detail }) => `${title} ${detail}`),
    ].join("\n"),
    confidence: report.confidence.score,
  };
}
