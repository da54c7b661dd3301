import type { PrintedFrame } from "../frames.ts";

/** How a language prints a call: a pattern with the groups `file`, `line`, and, if printed there, `name`. */
interface Printing {
  readonly files: RegExp;
  readonly frame: RegExp;
  /** Starts a stack; the stacks that are printed last come first. */
  readonly start?: RegExp;
  readonly isOutermostFirst?: true;
}

const printings: Readonly<Record<string, Printing>> = {
  python: {
    files: /\.pyx?$/,
    frame: /File "(?<file>[^"\n]+)", line (?<line>\d+)(?:, in (?<name>\S+))?/g,
    start: /Traceback \(most recent call last\)/,
    isOutermostFirst: true,
  },
  go: {
    files: /\.go$/,
    frame: /(?:^[^\S\n]*(?<name>[^\s(]\S*)\([^()\n]*\)\n)?^\s*(?<file>\/?[^\s:()]+\.go):(?<line>\d+)/gm,
  },
  java: {
    files: /\.java$/,
    frame: /\bat (?:[\w.@-]+\/)*(?<type>[\w.$]+)\.(?<name>[\w$<>]+)\((?<file>\w+\.java):(?<line>\d+)\)/g,
    start: /^\W*Caused by: /m,
  },
  javascript: {
    files: /\.[cm]?[jt]sx?$/,
    frame: /\bat (?:(?<name>[^\n(]+?) \()?(?:file:\/\/)?(?<file>[^\s():]+\.[cm]?[jt]sx?):(?<line>\d+):\d+\)?/g,
  },
  ruby: {
    files: /\.rb$/,
    frame: /(?<file>[\w./+@~-]+\.rb):(?<line>\d+):in [`'](?:[^'\n]*?)(?<name>[\w?!]+)'/g,
  },
  php: { files: /\.php$/, frame: /(?<file>[\w./@-]+\.php)(?:\((?<line>\d+)\): (?:[\w\\]+(?:->|::))?(?<name>\w+))/g },
  rust: {
    files: /\.rs$/,
    frame: /(?:- (?<name>[\w:<>{}]+)\n)?\s*(?:at |panicked at .*?)(?<file>[\w./@-]+\.rs):(?<line>\d+)/g,
  },
};

/** The languages whose pasted stacks are read. */
export const pastedLanguages: readonly string[] = Object.keys(printings);

/** Whether a path is of a language's code. */
export function isCodeOf(language: string, path: string): boolean {
  return printings[language]?.files.test(path) === true;
}

/** The frames of a text that a person pasted, the innermost first: read by patterns alone, apart from the engine's parser. */
export function pastedFrames(text: string, language: string): PrintedFrame[] {
  const printing = printings[language];
  if (printing === undefined) return [];
  const stacks = printing.start === undefined ? [text] : text.split(printing.start).toReversed();
  return stacks.flatMap((stack) => {
    const frames = [...stack.matchAll(printing.frame)].map(({ groups = {} }) => frameOf(groups));
    return printing.isOutermostFirst ? frames.toReversed() : frames;
  });
}

/** The JVM prints base names; the folders are those of the class. */
function frameOf({ file = "", line, name = "", type }: Readonly<Record<string, string | undefined>>): PrintedFrame {
  const path = type === undefined ? file : [...type.split(".").slice(0, -1), file].join("/");
  return { file: path, function: name, line: Number(line) };
}
