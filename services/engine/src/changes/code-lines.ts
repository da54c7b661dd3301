/** Returns a line of code without comments and surrounding space; empty for a line with only a comment. */
export function codeOf(line: string): string {
  const bare = line.trim();
  if (/^(?:\/\/|\/?\*|#(?!\[)|--\s|"""|''')/.test(bare)) return "";
  return bare
    .replace(/\s\/\/(?!\/).*$/, "")
    .replace(/\s#\s.*$/, "")
    .trim();
}

/** Returns whether two runs of lines are the same code, apart from spacing and comments. */
export function isSameCode(left: readonly string[], right: readonly string[]): boolean {
  return plain(left) === plain(right);
}

function plain(lines: readonly string[]): string {
  return lines.map(codeOf).join(" ").replace(/\s+/g, "");
}
