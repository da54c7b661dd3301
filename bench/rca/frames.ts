import type { RecordedCase } from "./cases.ts";
import { parseStacks } from "./corpora/stack.ts";
import { pastedFrames } from "./pasted/printed-frames.ts";
import { plainName } from "./plain-name.ts";

/** A line of a printed stack that names a file of the application or of a package in it. */
export interface PrintedFrame {
  /** As printed, without the folder in which the case ran. */
  readonly file: string;
  readonly function: string;
  readonly line: number;
}

/**
 * The frames that somebody follows who has only the log, the innermost first: of Python the last stack, of Java the
 * innermost cause, of other languages the first stack.
 */
export function framesOf({
  errorLog: log,
  language,
  corpus,
}: Pick<RecordedCase, "errorLog" | "language" | "corpus">): PrintedFrame[] {
  if (corpus === "pasted" || corpus === "tested") return pastedFrames(log, language);
  if (language === "go") return goFrames(log);
  if (language === "java")
    return log
      .split(/^Caused by: /m)
      .toReversed()
      .flatMap(javaFrames);
  if (language === "ruby") return rubyFrames(log);
  const stacks = parseStacks(log, language);
  const read = language === "python" ? stacks.toReversed().flat() : (stacks[0] ?? []);
  return read.flatMap((frame) => (frame.file === undefined ? [] : [{ ...frame, file: plainName(frame.file) }]));
}

function goFrames(log: string): PrintedFrame[] {
  const frames = log.matchAll(/^(?:(.*?)\([^()\n]*\)(?: in goroutine \d+)?\n)?\s(\/app\/[^:\n]+):(\d+)/gm);
  return [...frames].map(([, name = "", file = "", line]) => ({
    file: plainName(file),
    line: Number(line),
    function: name.replace(/^created by /, ""),
  }));
}

/** The JVM prints base names; the folders are those of the class. */
function javaFrames(log: string): PrintedFrame[] {
  const frames = log.matchAll(/^\s*at (?:[\w.@-]+\/)?([\w.$]+)\.([\w$<>]+)\((\w+\.java):(\d+)\)/gm);
  return [...frames].map(([, type = "", name = "", file = "", line]) => ({
    file: [...type.split(".").slice(0, -1), file].join("/"),
    line: Number(line),
    function: name,
  }));
}

function rubyFrames(log: string): PrintedFrame[] {
  const frames = log.matchAll(/^\s*(?:from )?([\w./-]+\.rb):(\d+):in .*?([\w?!]+)'.*$/gm);
  return [...frames].map(([, file = "", line, name = ""]) => ({
    file: plainName(file),
    line: Number(line),
    function: name,
  }));
}
