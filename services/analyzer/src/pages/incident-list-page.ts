import type { StoredIncident } from "@whence/storage";
import { html, type Markup } from "./html.ts";

/** The latest incidents, or what to do to get the first. */
export function incidentListBody(incidents: readonly StoredIncident[]): Markup {
  if (incidents.length === 0) {
    return html`<h1>Incidents</h1><p>None yet. Instrument a service with <code>@whence/node</code>, or send an error text to <code>POST /api/mcp/analyze</code>.</p>`;
  }
  return html`<h1>Incidents</h1><table><tr><th>Opened</th><th>Incident</th><th>Service</th><th>Status</th></tr>
${incidents.map(
  (
    incident,
  ) => html`<tr><td class="soft">${incident.created_at}</td><td><a href="/incidents/${incident.id}">${incident.title}</a>
${incident.report ? html`<br><span class="label">${incident.report.root_cause.category}</span>` : null}</td><td>${incident.service ?? "–"}</td><td>${incident.status}</td></tr>`,
)}</table>`;
}
