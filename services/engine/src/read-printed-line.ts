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
  { error, event, exit }: Pick<ParsedInput, "error" | "event" | "exit">,
  files: readonly SourceText[],
  { traced, ranking }: Read,
): Promise<Read> {
  const [first, ...others] = ranking.candidates;
  const frame = first?.signals.length === 0 ? frameAt(first) : undefined;
  const isGiven = files.some(({ name }) => name === frame?.file);
  // After a process exit, the frames are of another stack than the error's.
  const line = frame && !isGiven && !exit ? printedLineOf(frame, error) : null;
  if (!first || !line) return { traced, ranking };
  const { signals, frames } = await traceError(error, event, [], [line]);
  const read = new Map(frames.flatMap((one) => (one.place ? [[`${one.exception}:${one.index}`, one]] : [])));
  const withLine = (known: readonly LocatedFrame[]): LocatedFrame[] =>
    known.map((one) => read.get(`${one.exception}:${one.index}`) ?? one);
  return {
    traced: { ...traced, frames: withLine(traced.frames), signals: [...traced.signals, ...signals] },
    ranking: { ...ranking, candidates: [{ ...first, signals, frames: withLine(first.frames) }, ...others] },
  };
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
