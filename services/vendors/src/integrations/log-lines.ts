import type { OutsideFinding } from "@whence/protocol";

/** A finding that is a log line. */
export type LogFinding = Extract<OutsideFinding, { kind: "log" }>;

/**
 * Merges lines that differ only in numbers and IDs into one with a count, with the text and time of the line closest to
 * the failure. The closest ones come first.
 */
export function countedLines(lines: readonly LogFinding[], failedAt: string): LogFinding[] {
  const distance = ({ at }: LogFinding): number => Math.abs(Date.parse(at) - Date.parse(failedAt));
  const byText = new Map<string, LogFinding>();
  for (const line of lines) {
    const key = JSON.stringify([line.level?.toLowerCase() ?? null, line.source, masked(line.message)]);
    const known = byText.get(key);
    const nearest = known && distance(known) <= distance(line) ? known : line;
    byText.set(key, { ...nearest, count: line.count + (known?.count ?? 0) });
  }
  return [...byText.values()].sort((a, b) => distance(a) - distance(b));
}

function masked(message: string): string {
  return message
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "#")
    .replaceAll(/\b(?=[a-z_-]*\d)[0-9a-z_-]{8,}\b/gi, "#")
    .replaceAll(/\d+/g, "#");
}
