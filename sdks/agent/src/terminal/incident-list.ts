import type { IncidentSummary } from "@whence/protocol";
import { plainText } from "./plain-text.ts";
import { type Style, wrap } from "./style.ts";

const columnsMax = 100;

/** Formats incidents for a person at a terminal: where and when, then the cause that was found. */
export function incidentList(
  incidents: readonly IncidentSummary[],
  { style, columns }: { readonly style: Style; readonly columns: number },
): string {
  if (incidents.length === 0) return "No incidents.\n";
  return incidents.map((incident) => entry(incident, style, Math.min(columns, columnsMax))).join("\n");
}

function entry(incident: IncidentSummary, style: Style, columns: number): string {
  const { id, created_at, severity, service, env, title } = incident;
  const where = [service, env].filter((part) => part !== null).join(" in ");
  const facts = [created_at, severity, ...(where === "" ? [] : [where])].map(oneLine).join("  ");
  return `${style.cyan(oneLine(id))}  ${facts}
${style.bold(wrap(oneLine(title), columns, "  "))}
${wrap(oneLine(foundIn(incident)), columns, "  ")}
`;
}

function foundIn({ status, root_cause_summary: cause, confidence, failure }: IncidentSummary): string {
  if (cause !== null) return confidence === null ? cause : `${Math.round(confidence * 100)}%  ${cause}`;
  return failure ? `${status}: ${failure.message}` : status;
}

function oneLine(text: string): string {
  return plainText(text).replaceAll("\n", " ");
}
