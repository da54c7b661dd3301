/** Marks text up for a terminal, or returns it unchanged. */
export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", (text: string) => string>>;

/** The ECMA-48 (SGR) codes that turn each style on and off. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Returns the styles; without colors, they change nothing. */
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

/** Wraps text at spaces into lines of at most `columns` characters, each indented. Keeps existing line breaks. */
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
