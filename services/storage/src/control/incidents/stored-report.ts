import { parseJson, type Report, reportSchema, type UnreadableReport } from "@whence/protocol";

/** A stored report. */
export type StoredReport =
  | { readonly report: Report }
  | { readonly report?: never; readonly unreadable_report: UnreadableReport };

/** Reads a stored report. Never throws: one that doesn't fit its schema is returned as it is. */
export function readStoredReport(json: string): StoredReport {
  const parsed = parseJson(json);
  const stored = parsed === undefined ? json : parsed;
  const read = reportSchema.safeParse(stored);
  if (read.success) return { report: read.data };
  const [{ path, message } = { path: [], message: "it isn't JSON" }] = read.error.issues;
  const problem = path.length === 0 ? message : `${path.join(".")}: ${message}`;
  return { unreadable_report: { problem, stored } };
}
