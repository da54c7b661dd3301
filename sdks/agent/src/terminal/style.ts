/** Marks text up for a terminal, or leaves it as it is. */
export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", (text: string) => string>>;

/** Each with the codes of ECMA-48 (SGR) that turn it on and off. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** The marks; none when there are to be no colors. */
export function styleFor(hasColors: boolean): Style {
  const mark = ([on, off]: readonly [number, number]) =>
    hasColors ? (text: string) => (text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`) : (text: string) => text;
  return {
    bold: mark(codes.bold),
    dim: mark(codes.dim),
    red: mark(codes.red),
    green: mark(codes.green),
    yellow: mark(codes.yellow),
    cyan: mark(codes.cyan),
  };
}

/** Text in lines of at most so many characters where it has spaces, each indented. Its own line ends stay. */
export function wrap(text: string, columns: number, indent = ""): string {
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(20, columns - indent.length)))
    .map((line) => (line === "" ? "" : indent + line))
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
