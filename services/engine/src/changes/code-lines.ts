/** A line of code without comments and the space around it; empty for one that is only a comment. */
export function codeOf(line: string): string {
  const bare = line.trim();
  if (/^(?:\/\/|\/?\*|#(?!\[)|--\s|"""|''')/.test(bare)) return "";
  return bare
    .replace(/\s\/\/(?!\/).*$/, "")
    .replace(/\s#\s.*$/, "")
    .trim();
}

/** Whether two stretches of code say the same, spacing and comments aside. */
export function isSameCode(left: readonly string[], right: readonly string[]): boolean {
  return plain(left) === plain(right);
}

function plain(lines: readonly string[]): string {
  return lines.map(codeOf).join(" ").replace(/\s+/g, "");
}
