import type { Evidence, Incident, Location, Report, Solution } from "@whence/protocol";
import { hang } from "./hang.ts";

/** Emphasis of a terminal, or none of it. */
export type Paint = (style: "bold" | "dim" | "red" | "cyan", text: string) => string;

const width = 100;
const margin = "  ";
const excerptLinesMax = 11;
const evidenceMax = 12;

/** An incident with its report as a person reads it in a terminal, in lines of at most 100 characters. */
export function reportText(incident: Incident, paint: Paint): string {
  const { report, title, severity, service, url } = incident;
  const heading = [
    ...hang("", title, width).map((line) => paint("bold", line)),
    paint("dim", [severity, service, incident.id].filter((part) => part !== null).join(" · ")),
  ];
  const sections = report ? reportSections(report, paint) : [[`${margin}There is no report.`]];
  return [heading, ...sections, [paint("cyan", url)]].map((lines) => lines.join("\n")).join("\n\n");
}

function reportSections(report: Report, paint: Paint): string[][] {
  const section = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint("bold", name), ...lines];
  return [
    section("What happened", prose(report.root_cause_summary)),
    section("Root cause", rootCauseLines(report, paint)),
    section("Evidence", evidenceLines(report.evidence)),
    section("Timeline", timelineLines(report)),
    section("Do now", solutionLines(report.short_term_solutions)),
    section("Do later", solutionLines(report.long_term_solutions)),
    section(
      "Not checked",
      report.not_checked.flatMap((line) => hang(`${margin}- `, line, width)),
    ),
  ].filter((lines) => lines.length > 0);
}

function prose(text: string): string[] {
  return hang(margin, text, width);
}

function rootCauseLines({ root_cause: cause, confidence, evidence }: Report, paint: Paint): string[] {
  const { category, statement, location } = cause;
  const sure = `${Math.round(confidence.score * 100)} % confident`;
  return [
    `${margin}${paint("red", category)}, ${sure} ${paint("dim", `(${confidence.basis})`)}`,
    ...prose(statement),
    ...(location ? [`${margin}at ${paint("cyan", placeOf(location))}`] : []),
    ...excerptLines(evidence, location).map((line) => paint("dim", line)),
  ];
}

function placeOf({ file, line, function: name }: Location): string {
  return `${file}${line === null ? "" : `:${line}`}${name === null ? "" : `, ${name}`}`;
}

/** The code around the root cause, if a piece of evidence shows it. */
function excerptLines(evidence: readonly Evidence[], location: Location | null): string[] {
  const isHere = ({ location: place, source }: Evidence): boolean =>
    (source.kind === "source_file" || source.kind === "stack_frame") &&
    place?.file === location?.file &&
    place?.line === location?.line;
  const found = evidence.find((one) => isHere(one) && one.excerpt.includes("\n"));
  if (!found) return [];
  return found.excerpt
    .split("\n")
    .slice(0, excerptLinesMax)
    .map((line) => `${margin}${margin}${line}`.slice(0, width));
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
    const number = `${margin}${index + 1}. `;
    return [...hang(number, `${title} [${ids.join(", ")}]`, width), ...hang(" ".repeat(number.length), detail, width)];
  });
}
