import { type IncidentTelemetry, type Report, type TimelineKind, timelineKinds } from "@whence/protocol";

/** Something that happened, from the report or from telemetry. */
export interface Happening {
  readonly at: string;
  readonly kind: TimelineKind | "other";
  readonly text: string;
  /** The evidence for it, if the report cites any. */
  readonly evidenceId: string | null;
}

/** The rows of the axis, from top to bottom. */
export const lanes = [...timelineKinds, "other"] as const;

const kinds: Readonly<Record<string, TimelineKind>> = {
  breadcrumb: "breadcrumb",
  request: "breadcrumb",
  exception: "error",
  error_log: "error",
  stack_frame: "error",
};

/**
 * Returns what happened according to the report and telemetry, in order; what both contain is listed once, with its
 * evidence.
 */
export function timelineEntries(report: Report | undefined, telemetry: IncidentTelemetry | undefined): Happening[] {
  const sources = new Map(report?.evidence.map(({ id, source }) => [id, source.kind]));
  const cited = (report?.timeline ?? []).map(({ at, what, evidence_id: evidenceId }): Happening => {
    return { at, kind: kinds[sources.get(evidenceId) ?? ""] ?? "other", text: what, evidenceId };
  });
  const known = new Set(cited.map(({ at, kind }) => `${kind} ${at}`));
  const seen = (telemetry?.timeline ?? [])
    .filter(({ at, kind }) => !known.has(`${kind} ${at}`))
    .map(({ at, kind, text }): Happening => ({ at, kind, text, evidenceId: null }));
  return [...cited, ...seen].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
