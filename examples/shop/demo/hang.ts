/** Text in lines of at most `width`, the first after `first`, the others set in below it. */
export function hang(first: string, text: string, width: number): string[] {
  const rest = " ".repeat(first.length);
  return wrap(text, width - first.length).map((line, index) => (index === 0 ? first : rest) + line);
}

/** Lines of at most `width` characters, broken at spaces; a longer word stands alone. Line ends of the text are kept. */
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
