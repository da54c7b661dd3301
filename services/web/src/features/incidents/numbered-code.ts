/** Code with numbered lines, some of them marked. */
export interface NumberedCode {
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Numbers of the marked lines. */
  readonly markedLines: ReadonlySet<number>;
}

const numbered = /^(>| ) {0,6}(\d{1,7}) \|(?: (.*))?$/;

/** Parses code as reports number it (`> 36 | const a = 1;`); null for any other text. */
export function readNumberedCode(text: string): NumberedCode | null {
  const rows = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => numbered.exec(line));
  const first = rows[0];
  if (!first) return null;
  const firstLine = Number(first[2]);
  if (!rows.every((row, index) => row !== null && Number(row[2]) === firstLine + index)) return null;
  const markedLines = rows.flatMap((row) => (row?.[1] === ">" ? [Number(row[2])] : []));
  return { firstLine, lines: rows.map((row) => row?.[3] ?? ""), markedLines: new Set(markedLines) };
}
