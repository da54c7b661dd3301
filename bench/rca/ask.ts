import { setTimeout as delay } from "node:timers/promises";
import { benchKey } from "../child-server.ts";
import type { RcaCase } from "./cases.ts";
import type { Prediction } from "./score.ts";

const reportDeadlineMs = 60_000;
const pollIntervalMs = 20;
const headers = { "x-api-key": benchKey, "content-type": "application/json" };

interface Place {
  readonly file: string;
  readonly line: number | null;
  readonly function: string | null;
}

interface Report {
  readonly root_cause_summary: string;
  readonly root_cause: { readonly category: string; readonly statement: string; readonly location: Place | null };
  readonly candidates: readonly { readonly location: Place | null; readonly score: number }[];
  readonly detailed_analysis: string;
  readonly short_term_solutions: readonly { readonly title: string; readonly detail: string }[];
  readonly long_term_solutions: readonly { readonly title: string; readonly detail: string }[];
  readonly confidence: { readonly score: number };
}

/** Asks for an analysis as anybody would, with the error and the files and nothing else, and waits for the report. */
export async function ask(
  url: string,
  { errorLog, files }: Pick<RcaCase, "errorLog" | "files">,
): Promise<Prediction & Required<Pick<Prediction, "candidates">>> {
  const body = JSON.stringify({ error_log: errorLog, ...(files.length > 0 ? { files } : {}) });
  const opened = await fetch(`${url}/api/mcp/analyze`, { method: "POST", headers, body });
  if (!opened.ok) throw new Error(`analyze answered ${opened.status}: ${await opened.text()}`);
  const { incident_id: id }: { incident_id: string } = JSON.parse(await opened.text());
  return predictionOf(await reportOf(`${url}/api/incidents/${id}`));
}

async function reportOf(url: string): Promise<Report> {
  const deadline = performance.now() + reportDeadlineMs;
  while (performance.now() < deadline) {
    const answer = await (await fetch(url, { headers })).text();
    const incident: { status: string; report: Report; failure?: unknown } = JSON.parse(answer);
    if (incident.status === "completed") return incident.report;
    if (incident.status === "failed") throw new Error(`the investigation failed: ${JSON.stringify(incident.failure)}`);
    await delay(pollIntervalMs);
  }
  throw new Error(`no report within ${reportDeadlineMs} ms`);
}

function predictionOf(report: Report): Prediction & Required<Pick<Prediction, "candidates">> {
  const places = [report.root_cause.location, ...report.candidates.map(({ location }) => location)];
  const known = new Map(places.flatMap((place) => (place ? [[JSON.stringify(place), place] as const] : [])));
  const solutions = [...report.short_term_solutions, ...report.long_term_solutions];
  return {
    ranked: [...known.values()],
    candidates: report.candidates.map(({ location, score }) => ({ file: location?.file, score })),
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
