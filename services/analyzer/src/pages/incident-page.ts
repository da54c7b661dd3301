import type { Evidence, Incident, Location, Report, Solution } from "@whence/protocol";
import { html, type Markup, trusted } from "./html.ts";
import { markdown } from "./markdown.ts";

const percent = (score: number): string => `${Math.round(score * 100)} %`;

/** One incident, the summary first, each citation a link to its evidence. */
export function incidentBody(incident: Incident): Markup {
  return html`
<h1>${incident.title}</h1>
<p><span class="label">${incident.status}</span><span class="label">${incident.severity}</span>
${incident.service ? html`<span class="label">${incident.service}</span>` : null}
${incident.env ? html`<span class="label">${incident.env}</span>` : null}
<span class="soft">${incident.id} · opened ${incident.created_at}</span></p>
${incident.failure ? html`<p class="notice">${incident.failure.message} (${incident.failure.code})</p>` : null}
${incident.report ? reportBody(incident.report) : incident.failure ? null : html`<p>The investigation is under way; this page loads again by itself.</p>`}
<h2>Why there is an incident</h2><p>${incident.decision.outcome}: ${incident.decision.reason} <span class="soft">(${incident.decision.rule})</span></p>`;
}

function reportBody(report: Report): Markup {
  const { root_cause: cause, confidence } = report;
  return html`
<p class="summary">${cite(report.root_cause_summary)}</p>
<p><span class="label">${cause.category}</span>${cause.service ? html`<span class="label">${cause.service}</span>` : null}${place(cause.location)}</p>
<p><strong>Confidence ${percent(confidence.score)}.</strong> <span class="soft">${confidence.basis}</span></p>
<h2>What to do now</h2>${solutions(report.short_term_solutions)}
<h2>What to do for good</h2>${solutions(report.long_term_solutions)}
${linkCitations(markdown(report.detailed_analysis))}
<h2>Candidates</h2>
<table><tr><th>#</th><th>Cause</th><th>Score</th></tr>
${report.candidates.map((candidate) => html`<tr><td>${candidate.rank}</td><td><span class="label">${candidate.category}</span>${candidate.service ? html`<span class="label">${candidate.service}</span>` : null}${cite(candidate.statement)} ${place(candidate.location)} ${links(candidate.evidence_ids)}</td><td>${percent(candidate.score)}</td></tr>`)}
</table>
<h2>Timeline</h2>
<table>${report.timeline.map((entry) => html`<tr><td class="soft">${entry.at}</td><td>${cite(entry.what)} ${links([entry.evidence_id])}</td></tr>`)}</table>
<h2>Impact</h2><p>${cite(report.impact.summary)}</p>
<h2>Evidence</h2>${report.evidence.map(evidenceBody)}
<h2>What must be seen if this is right</h2>${list(report.predictions.map((prediction) => `${prediction.statement} Check: ${prediction.check}`))}
<h2>Not checked</h2>${list(report.not_checked)}
<p class="soft">Written by ${report.engine.name} ${report.engine.version}${report.engine.model ? ` with ${report.engine.model}` : ", without a model"}.</p>`;
}

function evidenceBody(evidence: Evidence): Markup {
  return html`<section id="${evidence.id}"><h3>${evidence.id} · ${cite(evidence.summary)}</h3>
<p class="soft">${evidence.source.kind}: ${evidence.source.name} ${place(evidence.location)} · seen ${evidence.observed_at}</p>
<pre><code>${evidence.excerpt}</code></pre></section>`;
}

function solutions(items: readonly Solution[]): Markup {
  return html`<ul>${items.map((item) => html`<li><strong>${item.title}</strong> ${cite(item.detail)} ${links(item.evidence_ids)}</li>`)}</ul>`;
}

function list(items: readonly string[]): Markup {
  return items.length === 0
    ? html`<p class="soft">Nothing.</p>`
    : html`<ul>${items.map((item) => html`<li>${cite(item)}</li>`)}</ul>`;
}

function place(location: Location | null): Markup | null {
  if (!location) return null;
  const line = location.line === null ? "" : `:${location.line}`;
  const inside = location.function === null ? "" : ` in ${location.function}`;
  return html`<code>${location.file}${line}</code>${inside}`;
}

function links(ids: readonly string[]): Markup {
  return html`${ids.map((id) => html`<a href="#${id}">[${id}]</a> `)}`;
}

/** Prose with its citations as links, and what stands in backquotes as code. */
function cite(text: string): Markup {
  const pieces = text.split(/`([^`]+)`/);
  return linkCitations(html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`);
}

function linkCitations(markup: Markup): Markup {
  return trusted(
    markup.text.replace(/\[(e[1-9][0-9]*(?:, ?e[1-9][0-9]*)*)\]/g, (_whole, ids: string) =>
      ids
        .split(/, ?/)
        .map((id) => `<a href="#${id}">[${id}]</a>`)
        .join(" "),
    ),
  );
}
