import { type Incident, type Report, verifyReport } from "@whence/protocol";
import type { Fault, Mistake } from "./faults.ts";

const headlineWordsMax = 25;

/** Returns what is wrong with a fault's incident, one line each; empty when the report is right. */
export function problemsOf(incident: Incident, fault: Fault): string[] {
  const { report, status, failure, service } = incident;
  if (status !== "completed" || !report) return [`the investigation ${status}: ${failure?.message ?? "no report"}`];
  const { category, location } = report.root_cause;
  const words = wordsOf(report.root_cause_summary);
  return [
    ...(service === fault.service ? [] : [`it is about ${service}, not ${fault.service}`]),
    ...verifyReport(report).map(({ where, problem }) => `${where} ${problem}`),
    ...(fault.categories.includes(category) ? [] : [`it says ${category}, not ${fault.categories.join(" or ")}`]),
    ...(names(report, fault.mistake)
      ? []
      : [`it points to ${location?.file ?? "no file"}, but the mistake is in ${mistakeText(fault.mistake)}`]),
    ...(fault.change === undefined || fault.change.test(report.root_cause_summary)
      ? []
      : [`its headline doesn't name the change: ${report.root_cause_summary}`]),
    ...(words <= headlineWordsMax ? [] : [`its headline has ${words} words, more than ${headlineWordsMax}`]),
  ];
}

/** Returns the number of words in a headline, without its citations. */
export function wordsOf(headline: string): number {
  return headline
    .replace(/\[e\d+(?:, ?e\d+)*\]/g, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Whether a report's root cause is the mistake: its file, or the service with what it left out. */
function names({ root_cause: cause, root_cause_summary: summary }: Report, { file, missing }: Mistake): boolean {
  if (cause.location?.file.replaceAll("\\", "/").endsWith(file)) return true;
  if (!missing || cause.service !== missing.service) return false;
  return new RegExp(`\\b${missing.name}\\b`).test(`${summary} ${cause.statement}`);
}

function mistakeText({ file, missing }: Mistake): string {
  return missing ? `${file}, or ${missing.name} of ${missing.service}` : file;
}
