import { compareReports, type Report, type ReportVersion } from "@whence/protocol";
import { placeName } from "../place-name.ts";

/** A version of a report, and how it differs from the previous one. */
export interface VersionChange {
  readonly version: number;
  readonly at: string;
  readonly changes: readonly string[];
}

/** Returns what changed with each version, newest first; the first version changed nothing. */
export function versionChanges(reports: readonly ReportVersion[]): VersionChange[] {
  return reports.flatMap(({ version, at, report }, index) => {
    const before = reports[index + 1]?.report;
    return before ? [{ version, at, changes: changesBetween(before, report) }] : [];
  });
}

function changesBetween(before: Report, after: Report): string[] {
  const { cause, confidence, evidence } = compareReports(before, after);
  const changes = [
    ...(cause ? [`Cause: ${causeName(before)} → ${causeName(after)}`] : []),
    ...(confidence.before === confidence.after ? [] : [`Confidence: ${confidence.before}% → ${confidence.after}%`]),
    ...(evidence.before === evidence.after ? [] : [`Evidence: ${evidence.before} → ${evidence.after} pieces`]),
  ];
  return changes.length > 0 ? changes : ["Wording"];
}

function causeName({ root_cause: { category, location, service } }: Report): string {
  const place = location === null ? null : placeName(location);
  return [service, place ?? category].filter(Boolean).join(" ");
}
