import type { FileContent, Location } from "@whence/protocol";
import { plainText } from "./plain-text.ts";
import type { Style } from "./style.ts";

const linesAround = 3;
const columnsMax = 160;

/** Formats the numbered lines around a place, which is marked; null when the file isn't available. */
export function codeExcerpt(location: Location, files: readonly FileContent[], style: Style): string | null {
  const { line } = location;
  const file =
    files.find(({ name }) => name === location.file) ?? files.find(({ name }) => endsAlike(name, location.file));
  if (!file || line === null) return null;
  const lines = file.content.split("\n");
  if (line > lines.length) return null;
  const from = Math.max(1, line - linesAround);
  const to = Math.min(lines.length, line + linesAround);
  const width = String(to).length;
  return lines
    .slice(from - 1, to)
    .map((text, index) => {
      const number = from + index;
      const shown = plainText(text.replace(/\r$/, "")).slice(0, columnsMax);
      const row = `${number === line ? ">" : " "} ${String(number).padStart(width)} │ ${shown}`.trimEnd();
      return number === line ? style.bold(row) : style.dim(row);
    })
    .join("\n");
}

/** The service may name a file by more or less of its path. */
function endsAlike(name: string, other: string): boolean {
  return name.endsWith(`/${other}`) || other.endsWith(`/${name}`);
}
