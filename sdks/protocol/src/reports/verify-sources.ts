import type { Incident } from "../incidents/incident.ts";
import type { Evidence, Location } from "./evidence.ts";
import type { Report } from "./report.ts";
import { isSameFile, type VerifiableSource } from "./verifiable-source.ts";
import { type BrokenCitation, verifyReport } from "./verify.ts";
import { checkPatch, type PatchState } from "./verify-patch.ts";

/**
 * The result of looking for a quote. `found`: in the text that it was taken from. `computed`: a count, for example,
 * which stands in no text. `not given`: its text is not among the sources. `at its lines`: a source of its name has
 * another digest but still has the quote at the numbered lines, because only those lines were available or the file
 * changed elsewhere. `other version`: the source has something else there, because the file or the report changed.
 */
export type QuoteState = "found" | "at its lines" | "computed" | "not given" | "other version";

/** The result of verifying a report against its sources. */
export interface Verification {
  /** The citations that don't hold. Empty when everything that could be checked holds. */
  readonly problems: readonly BrokenCitation[];
  /** Every piece of evidence without a problem. */
  readonly quotes: readonly { readonly id: string; readonly state: QuoteState }[];
  /** Whether the patch applies to the sources; absent without a patch. */
  readonly patch?: PatchState;
}

type Times = Pick<Incident, "created_at" | "started_at" | "completed_at">;

/**
 * Verifies a report without the service: every statement cites evidence, every quote is where the evidence says, places
 * are in the files, times are in order. `times` are those of its incident, when known.
 */
export function verifyWithSources(
  report: Report,
  sources: readonly VerifiableSource[],
  times?: Times | undefined,
): Verification {
  const checked = report.evidence.map((evidence) => ({ evidence, ...checkQuote(evidence, sources) }));
  const quoteProblems = checked.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  const quotes = checked.flatMap(({ evidence: { id }, problem, state }) => (problem === null ? [{ id, state }] : []));
  const patch = report.patch && checkPatch(report.patch, sources);
  return {
    problems: [
      ...verifyReport(report),
      ...quoteProblems,
      ...placeProblems(report, sources),
      ...timeProblems(report, times),
      ...(patch?.problems ?? []),
    ],
    quotes,
    ...(patch && { patch: patch.state }),
  };
}

interface CheckedQuote {
  readonly state: QuoteState;
  readonly problem: BrokenCitation | null;
}

function checkQuote(evidence: Evidence, sources: readonly VerifiableSource[]): CheckedQuote {
  const { range, excerpt, sha256 } = evidence;
  if (range === null) return { state: "computed", problem: null };
  const wrong = (problem: string): CheckedQuote => ({ state: "found", problem: { where: evidence.id, problem } });
  if (range.end - range.start !== encoder.encode(excerpt).length) {
    return wrong("its range is not as long as its excerpt");
  }
  const source = sources.find((one) => one.sha256 === sha256);
  if (!source) {
    return { state: stateAmong(namesakes(evidence, sources), evidence), problem: null };
  }
  const bytes = encoder.encode(source.text).subarray(range.start, range.end);
  if (new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) !== excerpt) {
    return wrong(`its excerpt is not what ${source.name} has there`);
  }
  const problem = lineProblem(evidence, source, range);
  return problem === null ? { state: "found", problem: null } : wrong(problem);
}

const encoder = new TextEncoder();

function namesakes({ source }: Evidence, sources: readonly VerifiableSource[]): VerifiableSource[] {
  return sources.filter(({ name }) => isSameFile(name, source.name));
}

function stateAmong(texts: readonly VerifiableSource[], evidence: Evidence): QuoteState {
  if (texts.length === 0) return "not given";
  return texts.some(({ text }) => standsAtItsLines(evidence, text)) ? "at its lines" : "other version";
}

/** Clients send lines without their terminators. */
function standsAtItsLines({ excerpt, first_line: line }: Evidence, text: string): boolean {
  if (line === undefined) return false;
  const lines = text.replaceAll("\r\n", "\n");
  const start = startOfLine(lines, line);
  return start !== null && lines.startsWith(excerpt.replaceAll("\r\n", "\n"), start);
}

function startOfLine(text: string, line: number): number | null {
  let start = 0;
  for (let number = 1; number < line; number++) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return null;
  }
  return start;
}

/** Returns what is wrong with the lines of quoted code: the number of the first one, or a place outside of them. */
function lineProblem(
  { source, location, first_line: said }: Evidence,
  { name, text }: VerifiableSource,
  range: { start: number; end: number },
): string | null {
  if (source.kind !== "source_file") return null;
  const bytes = encoder.encode(text);
  const first = 1 + countLines(bytes, 0, range.start);
  if (said !== undefined && said !== first) return `its excerpt begins on line ${first} of ${name}, and not on ${said}`;
  const line = location?.line ?? null;
  if (line === null || !location || !isSameFile(source.name, location.file)) return null;
  const isQuoted = line >= first && line <= first + countLines(bytes, range.start, range.end);
  return isQuoted ? null : `its excerpt does not have line ${line} of ${location.file}`;
}

function countLines(bytes: Uint8Array, from: number, to: number): number {
  const newline = 10;
  let count = 0;
  for (let index = from; index < to; index++) if (bytes[index] === newline) count += 1;
  return count;
}

/** Checks that a place is backed by evidence, and is on an existing line of its file where the file is given. */
function placeProblems(report: Report, sources: readonly VerifiableSource[]): BrokenCitation[] {
  const places: [string, Location | null][] = [
    ["root_cause.location", report.root_cause.location],
    ...report.candidates.map(({ location }, index): [string, Location | null] => [
      `candidates[${index}].location`,
      location,
    ]),
  ];
  return places.flatMap(([where, location]) => {
    if (location === null) return [];
    const problem = unsupported(location, report.evidence) ?? beyondFile(location, report.evidence, sources);
    return problem === null ? [] : [{ where, problem }];
  });
}

function unsupported({ file, line }: Location, evidence: readonly Evidence[]): string | null {
  const isThere = evidence.some(({ location, source, excerpt }) => {
    if (location === null) return source.name === file || excerpt.includes(file);
    return location.file === file && (line === null || location.line === line || location.line === null);
  });
  return isThere ? null : `no evidence is at ${file}${line === null ? "" : `:${line}`}`;
}

/** Only a file with the evidence's digest shows how many lines there were. */
function beyondFile(
  { file, line }: Location,
  evidence: readonly Evidence[],
  sources: readonly VerifiableSource[],
): string | null {
  const digests = new Set(evidence.filter(({ source }) => source.name === file).map(({ sha256 }) => sha256));
  const source = sources.find(({ sha256 }) => digests.has(sha256));
  if (!source || line === null) return null;
  const lines = source.text.split("\n").length;
  return line <= lines ? null : `${file} has ${lines} lines, and no line ${line}`;
}

function timeProblems({ evidence, timeline, impact }: Report, times?: Times): BrokenCitation[] {
  const single: [string, string | null][] = [
    ...evidence.map(({ id, observed_at }): [string, string] => [id, observed_at]),
    ...timeline.map(({ at }, index): [string, string] => [`timeline[${index}]`, at]),
    ["impact.first_seen", impact.first_seen],
    ["impact.last_seen", impact.last_seen],
  ];
  const unreadable = single
    .filter(([, at]) => at !== null && Number.isNaN(Date.parse(at)))
    .map(([where, at]) => ({ where, problem: `${JSON.stringify(at)} is no time` }));
  return [
    ...unreadable,
    ...inOrder(
      "timeline",
      timeline.map(({ at }) => at),
    ),
    ...inOrder("impact", [impact.first_seen, impact.last_seen]),
    ...(times ? inOrder("incident", [times.created_at, times.started_at, times.completed_at]) : []),
  ];
}

function inOrder(where: string, times: readonly (string | null)[]): BrokenCitation[] {
  const known = times.filter((time) => time !== null);
  return known.slice(1).flatMap((time, index) => {
    const before = known[index] ?? time;
    return Date.parse(time) < Date.parse(before) ? [{ where, problem: `${time} comes after ${before}` }] : [];
  });
}
