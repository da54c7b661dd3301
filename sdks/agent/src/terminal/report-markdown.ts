import {
  confidenceText,
  diffBlock,
  type Incident,
  patchText,
  pullRequestName,
  type Report,
  type Solution,
} from "@whence/protocol";
import { plainText } from "./plain-text.ts";

/** Formats a finished incident as Markdown, for an issue, a pull request, or an agent's context. */
export function reportMarkdown(incident: Incident): string {
  const { report, failure } = incident;
  const body = report
    ? reportParts(incident, report)
    : [`The analysis failed: ${failure ? `${failure.code}: ${failure.message}` : "without a report"}`];
  const title = `# ${oneLine(incident.title)}\n\n${incident.status} · severity ${incident.severity} · <${incident.url}>`;
  return `${plainText([title, ...body].join("\n\n"))}\n`;
}

function reportParts({ pull_request: opened }: Incident, report: Report): string[] {
  const { category, location } = report.root_cause;
  const place = location
    ? `\n\nAt ${code(`${location.file}${location.line === null ? "" : `:${location.line}`}`)}${location.function === null ? "" : `, in ${code(location.function)}`}.`
    : "";
  return [
    `## Root cause\n\n${report.root_cause_summary}${place}\n\nCategory ${category}, confidence: ${confidenceText(report.confidence)}`,
    ...(report.chain.length > 0 ? [`## Causal chain\n\n${report.chain.map(chainItem).join("\n")}`] : []),
    `## Analysis\n\n${report.detailed_analysis}`,
    ...solutionList("Fix now", report.short_term_solutions),
    ...(report.patch ? [`## Patch\n\n${patchText(report.patch)}\n\n${diffBlock(report.patch.diff)}`] : []),
    ...(opened ? [`## Pull request\n\n${oneLine(pullRequestName(opened))}: <${opened.url}>`] : []),
    ...solutionList("Prevent it", report.long_term_solutions),
    `## Evidence\n\n${report.evidence.map(evidenceItem).join("\n")}`,
    ...(report.not_checked.length > 0
      ? [`## Not checked\n\n${report.not_checked.map((line) => `- ${line}`).join("\n")}`]
      : []),
  ];
}

function chainItem(
  { what, service, release, location, evidence_ids: ids }: Report["chain"][number],
  index: number,
): string {
  const owner = [service, release].filter((part) => part !== undefined).join(" ");
  const place = location ? code(`${location.file}${location.line === null ? "" : `:${location.line}`}`) : "";
  const where = [owner, place].filter((part) => part !== "").join(", ");
  return `${index + 1}. ${what}${where === "" ? "" : ` (${where})`}${ids.length === 0 ? "" : ` [${ids.join(", ")}]`}`;
}

function evidenceItem({ id, summary, source, location }: Report["evidence"][number]): string {
  const place = location ? `${location.file}${location.line === null ? "" : `:${location.line}`}` : source.name;
  return `- **${id}** ${summary} (${code(place)})`;
}

function solutionList(title: string, solutions: readonly Solution[]): string[] {
  if (solutions.length === 0) return [];
  return [
    `## ${title}\n\n${solutions.map(({ title: what, detail }) => `- **${what}** ${detail}`.trimEnd()).join("\n")}`,
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Formats text from outside as inline code that it can't close. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  return fence.length > 1 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
