import { spawnSync } from "node:child_process";

/** Consecutive lines that a newer version replaces: `count` old ones after the first `start` lines. */
export interface Hunk {
  /** The number of lines before it in the older text. */
  readonly start: number;
  readonly count: number;
  readonly replacement: readonly string[];
}

/** Returns the differences between two files, ignoring whitespace where it has no meaning. */
export function hunksBetween(olderPath: string, newerPath: string, ignoresWhiteSpace: boolean): Hunk[] {
  const options = [...(ignoresWhiteSpace ? ["-w"] : []), "-d", "-U0"];
  const { stdout } = spawnSync("diff", [...options, olderPath, newerPath], { encoding: "utf8", maxBuffer: 1e8 });
  const [, ...parts] = stdout.split(/^(?=@@ )/m);
  return parts.map((part) => {
    const [, first = "0", lines = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(part) ?? [];
    const count = Number(lines);
    const replacement = part
      .split("\n")
      .filter((line) => line.startsWith("+"))
      .map((line) => line.slice(1));
    // An insertion is numbered by the line before it, everything else by its own first line.
    return { start: count === 0 ? Number(first) : Number(first) - 1, count, replacement };
  });
}

/** Returns `text` with some of its hunks replaced. */
export function applyHunks(text: string, hunks: readonly Hunk[]): string {
  const lines = text.split("\n");
  for (const { start, count, replacement } of hunks.toSorted((left, right) => right.start - left.start)) {
    lines.splice(start, count, ...replacement);
  }
  return lines.join("\n");
}

const blankOrComment = /^\s*(\/\/.*|\/?\*.*|#.*|)\s*$/;
const versionNumber = /version\W{1,6}["']?v?\d+\.\d+/i;

/** Whether a hunk can change the code's behavior. */
export function isSubstantial({ start, count, replacement }: Hunk, text: string): boolean {
  const lines = [...text.split("\n").slice(start, start + count), ...replacement];
  return lines.some((line) => !blankOrComment.test(line) && !versionNumber.test(line));
}

/** Returns the characters of the older text that a hunk actually replaces, without common ends. */
export function replacedRange({ start, count, replacement }: Hunk, text: string): { from: number; to: number } {
  const lines = text.split("\n");
  const offset = lines.slice(0, start).reduce((sum, line) => sum + line.length + 1, 0);
  const old = lines.slice(start, start + count).join("\n");
  const fresh = replacement.join("\n");
  if (count === 0) return { from: offset, to: offset };
  let before = 0;
  while (before < Math.min(old.length, fresh.length) && old[before] === fresh[before]) before += 1;
  let after = 0;
  const rest = Math.min(old.length, fresh.length) - before;
  while (after < rest && old[old.length - 1 - after] === fresh[fresh.length - 1 - after]) after += 1;
  return { from: offset + before, to: offset + Math.max(before, old.length - after) };
}
