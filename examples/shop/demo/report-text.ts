import {
  type ChainLink,
  confidenceText,
  type Evidence,
  type Incident,
  incidentSchema,
  type Location,
  type Report,
  type Solution,
} from "@whence/protocol";
import { hang } from "./hang.ts";

/** Styles text for a terminal, or leaves it plain. */
export type Paint = (style: "bold" | "dim" | "red" | "cyan", text: string) => string;

const width = 100;
const margin = "  ";
const excerptLinesMax = 11;
const evidenceMax = 12;

/**
 * Formats an incident with its report for a terminal, in lines of at most 100 characters. Paths below `folder` are
 * relative to it.
 */
export function reportText(incident: Incident, folder: string, paint: Paint): string {
  const { report, title, severity, service, url } = relativeTo(folder, incident);
  const heading = [
    ...hang("", title, width).map((line) => paint("bold", line)),
    paint("dim", [severity, service, incident.id].filter((part) => part !== null).join(" · ")),
  ];
  const sections = report ? reportSections(report, paint) : [[`${margin}There is no report.`]];
  return [heading, ...sections, [paint("cyan", url)]].map((lines) => lines.join("\n")).join("\n\n");
}

function relativeTo(folder: string, incident: Incident): Incident {
  return incidentSchema.parse(JSON.parse(JSON.stringify(incident).replaceAll(`${folder}/`, "")));
}

function reportSections(report: Report, paint: Paint): string[][] {
  const section = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint("bold", name), ...lines];
  return [
    section("What happened", prose(report.root_cause_summary)),
    section("How it happened", chainLines(report.chain, paint)),
    section("Root cause", rootCauseLines(report, paint)),
    section("Confidence", confidenceLines(report.confidence)),
    section("Evidence", evidenceLines(report.evidence)),
    section("Timeline", timelineLines(report)),
    section("Fix now", solutionLines(report.short_term_solutions)),
    section("Prevent it", solutionLines(report.long_term_solutions)),
    section(
      "Not checked",
      report.not_checked.flatMap((line) => hang(`${margin}- `, line, width)),
    ),
  ].filter((lines) => lines.length > 0);
}

function prose(text: string): string[] {
  return hang(margin, withShortCitations(text), width);
}

/** Shortens `[e1, e2, e3, e4]` to `[e1–e4]`. */
function withShortCitations(text: string): string {
  return text.replace(/\[e\d+(?:, ?e\d+)+\]/g, (citation) => `[${shortIds(citation.match(/e\d+/g) ?? [])}]`);
}

function shortIds(ids: readonly string[]): string {
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && Number(id.slice(1)) === Number(run.at(-1)?.slice(1)) + 1) run.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(", "))).join(", ");
}

/**
 * Formats the chain from the origin to the symptom, each link indented further after an arrow, as `whence rca` does.
 */
function chainLines(chain: readonly ChainLink[], paint: Paint): string[] {
  return chain.flatMap((link, depth) => {
    const indent = margin + "  ".repeat(depth);
    const owner = [link.service, link.release].filter((part) => part !== undefined).join(" ");
    const cited = `[${shortIds(link.evidence_ids)}]`;
    return [
      ...hang(depth === 0 ? indent : `${indent}→ `, link.what, width),
      paint("dim", `${indent}${depth === 0 ? "" : "  "}${[owner, cited].filter((part) => part !== "").join(" ")}`),
    ];
  });
}

function rootCauseLines({ root_cause_summary: summary, root_cause: cause, evidence }: Report, paint: Paint): string[] {
  const { category, statement, location } = cause;
  return [
    margin + paint("red", category),
    ...(statement === summary ? [] : prose(statement)),
    ...(location ? [`${margin}at ${paint("cyan", placeOf(location))}`, ""] : []),
    ...excerptLines(evidence, location).map((line) => paint("dim", line)),
  ];
}

function confidenceLines(confidence: Report["confidence"]): string[] {
  return hang(margin, confidenceText(confidence), width);
}

function placeOf({ file, line, function: name }: Location): string {
  return `${file}${line === null ? "" : `:${line}`}${name === null ? "" : `, ${name}`}`;
}

/** Returns the code around the root cause, if a piece of evidence contains it. */
function excerptLines(evidence: readonly Evidence[], location: Location | null): string[] {
  const isHere = ({ location: place, source }: Evidence): boolean =>
    (source.kind === "source_file" || source.kind === "stack_frame") &&
    place?.file === location?.file &&
    place?.line === location?.line;
  const found = evidence.find((one) => isHere(one) && one.excerpt.includes("\n"));
  if (!found) return [];
  const lines = found.excerpt.split("\n");
  const isBlank = (line: string): boolean => line.trim() === "";
  const shown = lines.slice(
    lines.findIndex((line) => !isBlank(line)),
    lines.findLastIndex((line) => !isBlank(line)) + 1,
  );
  return shown.slice(0, excerptLinesMax).map((line) => clipped(margin + margin + line));
}

function clipped(line: string): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

function evidenceLines(evidence: readonly Evidence[]): string[] {
  const kindWidth = Math.max(...evidence.map(({ source }) => source.kind.length));
  const shown = evidence
    .slice(0, evidenceMax)
    .flatMap(({ id, source, summary }) =>
      hang(`${margin}${`[${id}]`.padEnd(5)} ${source.kind.padEnd(kindWidth)}  `, firstLine(summary), width),
    );
  const more = evidence.length - evidenceMax;
  return more > 0 ? [...shown, `${margin}and ${more} more`] : shown;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function timelineLines({ timeline }: Report): string[] {
  return timeline.flatMap(({ at, what, evidence_id: id }) =>
    hang(`${margin}${at.slice(11, 23)}  `, `${firstLine(what)} [${id}]`, width),
  );
}

function solutionLines(solutions: readonly Solution[]): string[] {
  return solutions.flatMap(({ title, detail, evidence_ids: ids }, index) => {
    const text = detail.startsWith(title) ? detail : `${title}: ${detail}`;
    return hang(`${margin}${index + 1}. `, `${text} [${shortIds(ids)}]`, width);
  });
}
