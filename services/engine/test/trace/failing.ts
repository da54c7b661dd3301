import { endsOf, type Files, traced } from "./signals-in.ts";

/** Code in which `….id` reads a value that is missing, in the language of the file's ending. */
export interface Failing {
  readonly log: string;
  readonly files: Files;
}

/** The first line of a text that has some code, from 1. */
function lineOf(text: string, code: string): number {
  const lines = text.split("\n");
  return lines.findIndex((line) => line.includes(code)) + 1;
}

/** What each runtime prints when `.id` is read of nothing. */
const logs: Readonly<Record<string, (file: string, line: number, text: string) => string>> = {
  js: (file, line, text) => {
    const column = (text.split("\n")[line - 1] ?? "").indexOf(".id") + 2;
    return `TypeError: Cannot read properties of undefined (reading 'id')\n    at show (/srv/${file}:${line}:${column})\n`;
  },
  py: (file, line, text) =>
    `Traceback (most recent call last):\n  File "/srv/${file}", line ${line}, in show\n    ${(text.split("\n")[line - 1] ?? "").trim()}\nAttributeError: 'NoneType' object has no attribute 'id'\n`,
  rb: (file, line) => `/srv/${file}:${line}:in \`show': undefined method \`id' for nil:NilClass (NoMethodError)\n`,
  go: (file, line) =>
    `panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.show(...)\n\t/srv/${file}:${line} +0x1d\n`,
  java: (file, line) => `Exception in thread "main" java.lang.NullPointerException\n\tat Shop.show(${file}:${line})\n`,
};

/** The first file fails where it first reads `.id`. */
export function failing(files: Files): Failing {
  const [[file, text] = ["", ""]] = Object.entries(files);
  const log = logs[file.split(".").at(-1) ?? ""];
  if (!log) throw new Error(`${file} is in no language that is traced`);
  return { log: log(file, lineOf(text, ".id"), text), files };
}

/** Where the missing value that the first file reads comes from, as `how file:line`. */
export async function originOf(files: Files): Promise<string[]> {
  return endsOf((await traced(failing(files).log, files)).signals);
}
