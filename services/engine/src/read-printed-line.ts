import type { ParsedInput } from "./findings/findings.ts";
import { type LocatedFrame, lineOf } from "./findings/located-frame.ts";
import { printedLine } from "./findings/printed-code.ts";
import type { Candidate, Ranking } from "./rank/candidate.ts";
import { SourceText } from "./source/source-text.ts";
import { traceError } from "./trace/trace-error.ts";
import type { Traced } from "./trace/traced.ts";

/** A trace, and the ranking made from it. */
export interface Read {
  readonly traced: Traced;
  readonly ranking: Ranking;
}

/**
 * Reads the line of code that the stack prints for the first candidate, if its file wasn't given. The line says how the
 * program failed there and nothing of other places, so the order of the candidates and their scores stay.
 */
export async function readPrintedLine(
  { error, event }: Pick<ParsedInput, "error" | "event">,
  files: readonly SourceText[],
  { traced, ranking }: Read,
): Promise<Read> {
  const [first, ...others] = ranking.candidates;
  const frame = first?.signals.length === 0 ? frameAt(first) : undefined;
  const isGiven = files.some(({ name }) => name === frame?.file);
  const line = frame && !isGiven ? printedLineOf(frame, error) : null;
  if (!first || !line) return { traced, ranking };
  const read = await traceError(error, event, files, [line]);
  const signals = read.signals.filter(({ subject }) => subject.file === line.name);
  const frames = first.frames.map(
    (one) => read.frames.find(({ exception, index }) => exception === one.exception && index === one.index) ?? one,
  );
  return { traced: read, ranking: { ...ranking, candidates: [{ ...first, signals, frames }, ...others] } };
}

function frameAt({ subject, frames }: Candidate): LocatedFrame | undefined {
  return frames.find((one) => subject.kind === "place" && lineOf(one) === subject.line);
}

function printedLineOf({ exception, frame, place }: LocatedFrame, error: ParsedInput["error"]): SourceText | null {
  const thrown = error.exceptions[exception];
  const code = thrown && place === null ? printedLine(frame, thrown) : null;
  return code === null || frame.file === null || frame.line === null
    ? null
    : new SourceText("stack_frame", frame.file, code, frame.line);
}
