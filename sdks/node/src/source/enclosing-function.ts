import * as sdkLimits from "../sdk-limits.ts";

/** A range of lines, by their indexes, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Matches `=> {`, and `=> ({`, whose value is an object. */
const arrow = /=>\s*\(?\{$/;
/** Matches `) {` and `): Type {`; the text before decides whether it is a method. */
const parameters = /\)\s*(?::.*[\w>\])}"'`]\s*)?\{$/;
const method =
  /^(?:(?:public|private|protected|static|async|override|get|set|export|default)\s+)*\*?\s*(?:#?([\w$]+)|\[[^\]]+\]|"[^"]*"|'[^']*')\s*(?:<.*>)?\s*\(/;
/**
 * Without `catch`, which is a method's name in exception filters; if a block is mistaken for a function, the function
 * around it is used anyway.
 */
const statements = new Set(["if", "for", "while", "switch", "with", "return", "await", "throw", "super"]);
const trailingComment = /\s*(?:\/\/[^'"`]*|\/\*[^*]*\*\/\s*)$/;

/**
 * Returns the outermost function around the line at `index` that `fits`, since a callback uses what the function around
 * it declares; undefined when there is none or it is ambiguous. Uses indentation, as formatters and compilers write it,
 * instead of a parser. A brace in a string, template, or regular expression doesn't mislead it, because a block must
 * end at the indentation where it began.
 */
export function enclosingFunction(
  lines: readonly string[],
  index: number,
  fits: (range: LineRange) => boolean,
): LineRange | undefined {
  let found: LineRange | undefined;
  let limit = indentOf(lines[index] ?? "") + 1;
  for (let at = index; at >= 0 && limit > 0; at--) {
    const line = lines[at] ?? "";
    if (indentOf(line) >= limit || !opensBlock(line)) continue;
    const end = endOfBlock(lines, at);
    if (end < index) continue;
    limit = indentOf(line);
    const start = startOfHeader(lines, at);
    if (!isFunction(lines, start, at)) continue;
    const range = { start, end };
    if (!fits(range)) break;
    found = range;
  }
  return found;
}

/** Returns a line's indentation; infinite for an empty line, which is in every block. */
function indentOf(line: string): number {
  const text = line.trimStart();
  return text === "" ? Number.POSITIVE_INFINITY : line.length - text.length;
}

/** Whether a line opens a block. Long lines are data or a bundle's. */
function opensBlock(line: string): boolean {
  return line.length <= sdkLimits.contextLineLengthMax && withoutComment(line).endsWith("{");
}

function withoutComment(line: string): string {
  return line.trimEnd().replace(trailingComment, "");
}

/** Returns the first later line that starts with a brace at the block's indentation; -1 without one. */
function endOfBlock(lines: readonly string[], at: number): number {
  const closing = `${lines[at]?.slice(0, indentOf(lines[at] ?? ""))}}`;
  for (let end = at + 1; end < lines.length; end++) if (lines[end]?.startsWith(closing)) return end;
  return -1;
}

/** Returns where the statement begins whose parameters end on this line, or whose brace is on its own line. */
function startOfHeader(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at] ?? "");
  let start = at;
  while (start > 0 && /^\s*[)\]}{]/.test(lines[start] ?? "")) {
    const above = lines.findLastIndex((line, index) => index < start && indentOf(line) === indent);
    if (above === -1) break;
    start = above;
  }
  return start;
}

function isFunction(lines: readonly string[], start: number, at: number): boolean {
  const first = withoutComment(lines[start] ?? "").trim();
  const last = withoutComment(lines[at] ?? "").trim();
  const opening = last === "{" ? `${withoutComment(lines[at - 1] ?? "").trim()} {` : last;
  if (arrow.test(opening)) return true;
  if (!parameters.test(opening)) return false;
  if (/\bfunction\b/.test(opening) || /\bfunction\b/.test(first)) return true;
  const [isMethod, name = ""] = method.exec(first) ?? [];
  return isMethod !== undefined && !statements.has(name);
}
