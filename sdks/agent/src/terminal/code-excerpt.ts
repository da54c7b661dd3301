import type { Evidence, FileContent, Location } from "@whence/protocol";
import { plainText } from "./plain-text.ts";
import type { Style } from "./style.ts";

const linesAround = 3;
/** How far below a place its handler may be that decides what becomes of an error there, in lines. */
const linesToHandlerMax = 7;
const handler = /^\s*(?:\}\s*)?(?:catch|except|rescue)\b/;
const columnsMax = 160;

/**
 * Formats the numbered lines around a place, which is marked; null when the file isn't available, or is of another
 * version: the evidence then quotes another line, or none.
 */
export function codeExcerpt(
  location: Location,
  files: readonly FileContent[],
  evidence: readonly Evidence[],
  style: Style,
): string | null {
  const { line } = location;
  const file =
    files.find(({ name }) => name === location.file) ?? files.find(({ name }) => endsAlike(name, location.file));
  if (!file || line === null) return null;
  const lines = file.content.split("\n");
  return isOfVersion(lines, location, evidence) ? numberedLines(lines, 1, line, style) : null;
}

/** Returns whether the evidence for a place, if there is any, quotes the line that the file has there. */
function isOfVersion(lines: readonly string[], { file, line }: Location, evidence: readonly Evidence[]): boolean {
  const here = evidence.filter(({ location }) => location?.file === file && location.line === line);
  const quoted = here.flatMap(({ excerpt, first_line: first }) =>
    first === undefined || line === null ? [] : (excerpt.split("\n")[line - first] ?? []),
  );
  return here.length === 0 || quoted.some((text) => text.trim() === lines[(line ?? 0) - 1]?.trim());
}

/** Formats the numbered lines around a place that the evidence quotes; null when none of it does. */
export function quotedExcerpt(location: Location, evidence: readonly Evidence[], style: Style): string | null {
  const { line } = location;
  const quoted = evidence.find(
    (one) => one.location?.file === location.file && one.location.line === line && one.first_line !== undefined,
  );
  if (!quoted || line === null) return null;
  return numberedLines(quoted.excerpt.trimEnd().split("\n"), quoted.first_line ?? 1, line, style);
}

function numberedLines(lines: readonly string[], first: number, line: number, style: Style): string | null {
  const last = first + lines.length - 1;
  if (line < first || line > last) return null;
  const from = Math.max(first, line - linesAround);
  const to = Math.min(last, lineOfHandler(lines, first, line) ?? line + linesAround);
  const width = String(to).length;
  return lines
    .slice(from - first, to - first + 1)
    .map((text, index) => {
      const number = from + index;
      const shown = plainText(text.replace(/\r$/, "")).slice(0, columnsMax);
      const row = `${number === line ? ">" : " "} ${String(number).padStart(width)} │ ${shown}`.trimEnd();
      return number === line ? style.bold(row) : style.dim(row);
    })
    .join("\n");
}

/** Returns the first line within the handler of errors that comes soon after a place; null if it is shown anyway. */
function lineOfHandler(lines: readonly string[], first: number, line: number): number | null {
  const depth = indentOf(lines[line - first] ?? "");
  const from = line + linesAround;
  for (let at = line + 1; at <= line + linesToHandlerMax; at += 1) {
    const text = lines[at - first] ?? "";
    if (handler.test(text) && indentOf(text) < depth) return at >= from ? at + 1 : null;
  }
  return null;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** The service may name a file by more or less of its path. */
function endsAlike(name: string, other: string): boolean {
  return name.endsWith(`/${other}`) || other.endsWith(`/${name}`);
}
