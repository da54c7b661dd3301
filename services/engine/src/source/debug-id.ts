const uuid = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
const comment = new RegExp(`^//[#@] debugId=(${uuid})\\s*$`, "im");
// Within an embedded source the quotes would be escaped, so this can't match there.
const key = new RegExp(`"debug(?:Id|_id)"\\s*:\\s*"(${uuid})"`, "i");
/** The comments of a build tool are a file's last lines. */
const tailUnits = 1_000;

/**
 * Returns the id that a build tool gave a file and its source map; null without one.
 * https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md
 */
export function debugIdOfCode(text: string): string | null {
  return comment.exec(text.slice(-tailUnits))?.[1]?.toLowerCase() ?? null;
}

/** Returns the id of a source map, the same as {@link debugIdOfCode} of its file; null without one. */
export function debugIdOfMap(text: string): string | null {
  return key.exec(text)?.[1]?.toLowerCase() ?? null;
}
