/** A line of a printed stack. */
export interface StackFrame {
  /** As printed, such as `async Parser.parse`; empty when the line names none. */
  readonly function: string;
  /** Relative to `/app`; `undefined` outside of it. */
  readonly file: string | undefined;
  readonly line: number;
  /** 0 where the language prints none. */
  readonly column: number;
}

/** The properties of an error follow its last frame in braces. */
const nodeFrame = /^\s+at (.*?)(?: \{)?$/;
const nodePlace = /(?:^|\()(?:file:\/\/)?\/app\/([^()]*?):(\d+):(\d+)\)?$/;
const pythonFrame = /^ {2}File "(.*?)", line (\d+), in (.*)$/;
const pythonStart = "Traceback (most recent call last):";

/** The stacks of a log in the order printed, each with the frame that threw first. */
export function parseStacks(log: string, language: string): StackFrame[][] {
  return language === "python" ? pythonStacks(log) : nodeStacks(log);
}

function nodeStacks(log: string): StackFrame[][] {
  const stacks: StackFrame[][] = [];
  let open: StackFrame[] | undefined;
  for (const line of log.split("\n")) {
    const text = nodeFrame.exec(line)?.[1];
    if (text === undefined) {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = [];
      stacks.push(open);
    }
    const place = nodePlace.exec(text);
    const name = /^(.*?) \(/.exec(text)?.[1] ?? "";
    open.push({ function: name, file: place?.[1], line: Number(place?.[2] ?? 0), column: Number(place?.[3] ?? 0) });
  }
  return stacks;
}

function pythonStacks(log: string): StackFrame[][] {
  const stacks: StackFrame[][] = [];
  for (const line of log.split("\n")) {
    if (line.trim() === pythonStart) stacks.push([]);
    const match = pythonFrame.exec(line);
    if (match === null) continue;
    const [, path = "", number = "0", name = ""] = match;
    const file = path.startsWith("/app/") ? path.slice("/app/".length) : undefined;
    stacks.at(-1)?.unshift({ function: name === "<module>" ? "" : name, file, line: Number(number), column: 0 });
  }
  return stacks;
}

/** The first line of a log that names an error, such as `TypeError: x is not a function`. */
export function errorLine(log: string, language: string): string | undefined {
  const lines = log.split("\n");
  if (language !== "python") {
    const first = lines.findIndex((line) => nodeFrame.test(line));
    return lines
      .slice(Math.max(0, first - 12), Math.max(0, first))
      .findLast((line) => /^\S*.*\w/.test(line) && !/^ {4}/.test(line));
  }
  const start = lines.findIndex((line) => line.trim() === pythonStart);
  return lines.slice(start + 1).find((line) => /^[\w.]+(: .*)?$/.test(line));
}
