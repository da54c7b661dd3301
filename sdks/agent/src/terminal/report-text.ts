import {
  confidenceText,
  type FileContent,
  type Incident,
  patchText,
  type Report,
  type Solution,
} from "@whence/protocol";
import { chainText } from "./chain-text.ts";
import { codeExcerpt, quotedExcerpt } from "./code-excerpt.ts";
import { namesPlace } from "./named-place.ts";
import { plainText } from "./plain-text.ts";
import { type Style, wrap } from "./style.ts";

/** How a report is shown. */
export interface ReportLayout {
  readonly style: Style;
  readonly columns: number;
  /** The files that were sent, from which the lines around the cause are quoted. */
  readonly files: readonly FileContent[];
}

const candidatesShown = 5;
const columnsMax = 100;

/** Formats a finished incident for a person at a terminal. */
export function reportText(incident: Incident, layout: ReportLayout): string {
  const columns = Math.min(layout.columns, columnsMax);
  const { report } = incident;
  const parts = report
    ? [...causeParts(report, { ...layout, columns }), ...restParts(report, { ...layout, columns })]
    : [failureText(incident, { ...layout, columns })];
  return `${[head(incident, layout.style), ...refining(incident, columns), ...parts].join("\n\n")}\n`;
}

function head({ title, status, severity, url }: Incident, style: Style): string {
  const mark = status === "failed" ? style.red(status) : style.green(status);
  return `${style.bold(plainText(title).replaceAll("\n", " "))}\n${mark} · severity ${severity} · ${style.cyan(plainText(url))}`;
}

/** Returns the remark on a report that may still change. */
function refining({ refinement }: Incident, columns: number): string[] {
  if (!refinement?.refining) return [];
  const until = refinement.refined_until === null ? "" : `, until ${plainText(refinement.refined_until)}`;
  return [wrap(`This is what is known so far. The report is updated as evidence arrives${until}.`, columns)];
}

function failureText({ failure }: Incident, { style, columns }: ReportLayout): string {
  const said = failure ? `${failure.code}: ${failure.message}` : "the analysis ended without a report";
  return wrap(style.red(plainText(said)), columns);
}

function causeParts(report: Report, layout: ReportLayout): string[] {
  const { style, columns } = layout;
  const { category, location } = report.root_cause;
  const excerpt = location
    ? (codeExcerpt(location, layout.files, report.evidence, style) ?? quotedExcerpt(location, report.evidence, style))
    : null;
  const chain = chainText(report, style, columns);
  const place = location ? style.yellow(plainText(placeOf(location))) : "";
  const isNamed = location !== null && namesPlace(report.root_cause_summary, location);
  return [
    section("Root cause", style, `${wrap(prose(report.root_cause_summary), columns, "  ")}`),
    ...(chain === "" ? [] : [chain]),
    ...(excerpt !== null || (location && !isNamed)
      ? [indented([place, ...(excerpt ? [excerpt] : [])].join("\n"))]
      : []),
    wrap(`${category}, confidence: ${plainText(confidenceText(report.confidence))}`, columns, "  "),
  ];
}

function restParts(report: Report, layout: ReportLayout): string[] {
  const { style, columns } = layout;
  const others = report.candidates.slice(1, candidatesShown).map(({ score, statement, location }) => {
    const place = location && !namesPlace(statement, location) ? ` (${plainText(placeOf(location))})` : "";
    return wrap(`${percent(score)}  ${prose(statement)}${place}`, columns, "  ");
  });
  const evidence = report.evidence.map(({ id, summary, location, source }) => {
    const isNamed = location ? namesPlace(summary, location) : summary.includes(source.name);
    const from = isNamed ? "" : ` — ${plainText(location ? placeOf(location) : source.name)}`;
    return wrap(`${id}  ${plainText(summary)}${from}`, columns, "  ");
  });
  const unseen = report.not_checked.map((line) => wrap(`- ${plainText(line)}`, columns, "  "));
  return [
    ...solutions("Fix now", report.short_term_solutions, layout),
    ...patchPart(report, layout),
    ...solutions("Prevent it", report.long_term_solutions, layout),
    ...list("Other possible causes", others, style),
    ...list("Evidence", evidence, style),
    ...list("Not checked", unseen, style),
  ];
}

function patchPart({ patch }: Report, { style, columns }: ReportLayout): string[] {
  if (!patch) return [];
  const lines = plainText(patch.diff).trimEnd().split("\n");
  const colored = lines.map((line) =>
    /^[+-]{3} /.test(line)
      ? style.dim(line)
      : line.startsWith("+")
        ? style.green(line)
        : line.startsWith("-")
          ? style.red(line)
          : line,
  );
  const how = style.dim("Apply it with whence show ID --patch | git apply");
  return [
    section(
      "Patch",
      style,
      `${wrap(prose(patchText(patch)), columns, "  ")}\n${indented([...colored, how].join("\n"))}`,
    ),
  ];
}

function solutions(title: string, found: readonly Solution[], { style, columns }: ReportLayout): string[] {
  const items = found.map((solution, index) => {
    const heading = wrap(`${index + 1}. ${prose(solution.title)}`, columns, "  ");
    return solution.detail === "" ? heading : `${heading}\n${wrap(prose(solution.detail), columns, "     ")}`;
  });
  return list(title, items, style);
}

function list(title: string, items: readonly string[], style: Style): string[] {
  return items.length === 0 ? [] : [section(title, style, items.join("\n"))];
}

function section(title: string, style: Style, body: string): string {
  return `${style.bold(title)}\n${body}`;
}

/** Formats a statement: one paragraph of Markdown, whose escapes a terminal doesn't need. */
function prose(text: string): string {
  return plainText(text).replace(/\\([\\`*_{}[\]()#+\-.!<>|])/g, "$1");
}

function placeOf({
  file,
  line,
  function: name,
}: {
  file: string;
  line: number | null;
  function: string | null;
}): string {
  return `${file}${line === null ? "" : `:${line}`}${name === null ? "" : ` in ${name}`}`;
}

function percent(score: number): string {
  return `${Math.round(score * 100)}%`;
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
