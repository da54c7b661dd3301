import type { IncidentSummary } from "@whence/protocol";
import { plainText } from "./plain-text.ts";
import { type Style, wrap } from "./style.ts";

const columnsMax = 100;

/** Formats incidents for a person at a terminal: their state, where and when, then the cause that was found. */
export function incidentList(
  incidents: readonly IncidentSummary[],
  { style, columns }: { readonly style: Style; readonly columns: number },
): string {
  return incidents.map((incident) => entry(incident, style, Math.min(columns, columnsMax))).join("\n");
}

function entry(incident: IncidentSummary, style: Style, columns: number): string {
  const { id, created_at, status, lifecycle, owner, severity, service, env, title } = incident;
  const where = [service, env].filter((part) => part !== null).join(" in ");
  const decided = lifecycle.state === "open" ? [] : [lifecycle.state];
  const owned = owner === null ? [] : [`owner: ${owner.name}`];
  const facts = [created_at, status, ...decided, severity, ...(where === "" ? [] : [where]), ...owned];
  const found = foundIn(incident);
  return `${style.cyan(oneLine(id))}  ${facts.map(oneLine).join("  ")}
${style.bold(wrap(oneLine(title), columns, "  "))}
${found === null ? "" : `${wrap(oneLine(found), columns, "  ")}\n`}`;
}

/** Returns the cause or why there is none; null before the investigation has ended. */
function foundIn({
  root_cause_summary: cause,
  confidence,
  failure,
  merged_into: into,
}: IncidentSummary): string | null {
  if (cause !== null) return confidence === null ? cause : `${Math.round(confidence * 100)}%  ${cause}`;
  if (into !== undefined) return `the same problem as ${into}`;
  return failure?.message ?? null;
}

function oneLine(text: string): string {
  return plainText(text).replaceAll("\n", " ");
}
