import { pastedFrames } from "./printed-frames.ts";

/** A pasted message is shorter. */
const messageLinesMax = 6;

/**
 * The lines of a text that its stacks take, 1-based and inclusive: from the line that announces the first frame to the
 * last frame, or the message below it. Undefined without a stack.
 */
export function stackLines(text: string, language: string): [first: number, last: number] | undefined {
  const lines = text.split("\n");
  const isFrame = (index: number): boolean =>
    pastedFrames(lines.slice(Math.max(0, index), index + 1).join("\n"), language).length > 0;
  const first = lines.findIndex((_, index) => isFrame(index));
  const last = lines.findLastIndex((_, index) => isFrame(index));
  if (first < 0) return undefined;
  return [firstOfStack(lines, first) + 1, lastOfStack(lines, last, language) + 1];
}

function firstOfStack(lines: readonly string[], first: number): number {
  let at = first;
  while (at > 0 && first - at < messageLinesMax && (lines[at - 1] ?? "").trim() !== "") at--;
  return at;
}

/** Python prints a frame's code and the message below the frames. */
function lastOfStack(lines: readonly string[], last: number, language: string): number {
  let at = last;
  const max = language === "python" ? messageLinesMax : 1;
  while (at + 1 < lines.length && at - last < max && (lines[at + 1] ?? "").trim() !== "") at++;
  return at;
}
