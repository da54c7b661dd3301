import type { Evidence, Location } from "@whence/protocol";

/** Source code as evidence quotes it: its lines are numbered as in its file. */
export interface QuotedCode {
  readonly code: string;
  readonly file: string;
  readonly firstLine: number;
  /** The number of the line that it is about. */
  readonly line: number;
}

/** What a piece of evidence quotes of source code; null for any other. */
export function codeOf({ excerpt, first_line: firstLine, location, source }: Evidence): QuotedCode | null {
  if (firstLine === undefined) return null;
  return { code: excerpt, file: source.name, firstLine, line: location?.line ?? firstLine };
}

/** The code around a place, as the evidence quotes it; null when none does. */
export function codeAt(place: Location | null, evidence: readonly Evidence[]): QuotedCode | null {
  if (place === null) return null;
  const at = evidence.filter(({ location }) => location?.file === place.file && location.line === place.line);
  return at.map(codeOf).find((quoted) => quoted !== null) ?? null;
}

/** The line alone that some code is about, without its indent. */
export function markedLine({ code, file, firstLine, line }: QuotedCode): QuotedCode {
  return { code: (code.split("\n")[line - firstLine] ?? "").trim(), file, firstLine: line, line };
}
