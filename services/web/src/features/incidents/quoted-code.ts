import type { Evidence, Location } from "@whence/protocol";

/** Source code quoted by evidence, with the line numbers of its file. */
export interface QuotedCode {
  readonly code: string;
  readonly file: string;
  readonly firstLine: number;
  /** The number of the relevant line. */
  readonly line: number;
}

/** Returns the source code that a piece of evidence quotes; null for any other evidence. */
export function codeOf({ excerpt, first_line: firstLine, location, source }: Evidence): QuotedCode | null {
  if (firstLine === undefined) return null;
  return { code: excerpt, file: source.name, firstLine, line: location?.line ?? firstLine };
}

/** Returns the code around a place, as quoted by the evidence; null when none quotes it. */
export function codeAt(place: Location | null, evidence: readonly Evidence[]): QuotedCode | null {
  if (place === null) return null;
  const at = evidence.filter(({ location }) => location?.file === place.file && location.line === place.line);
  return at.map(codeOf).find((quoted) => quoted !== null) ?? null;
}

/** Returns only the relevant line of some code, without its indentation. */
export function markedLine({ code, file, firstLine, line }: QuotedCode): QuotedCode {
  return { code: (code.split("\n")[line - firstLine] ?? "").trim(), file, firstLine: line, line };
}
