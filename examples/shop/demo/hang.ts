/** Wraps text into lines of at most `width`, the first after `first`, the others indented below it. */
export function hang(first: string, text: string, width: number): string[] {
  const rest = " ".repeat(first.length);
  return wrap(text, width - first.length).map((line, index) => (index === 0 ? first : rest) + line);
}

/**
 * Wraps text at spaces into lines of at most `width` characters; a longer word gets its own line. Keeps line breaks.
 */
function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const lines = [""];
  for (const word of line.trimEnd().split(/(?<=\S) +/)) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
