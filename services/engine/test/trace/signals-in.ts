import { parseText } from "../../src/parse/parse.ts";
import type { AnyCodeSignal, CodeSignal, CodeSignalKind } from "../../src/signals/signal.ts";
import { SourceText } from "../../src/source/source-text.ts";
import { traceError } from "../../src/trace/trace-error.ts";
import type { Traced } from "../../src/trace/traced.ts";

export type Files = Readonly<Record<string, string>>;

/** What tracing a log through some files comes to. */
export function traced(log: string, files: Files): Promise<Traced> {
  const sources = Object.entries(files).map(([name, text]) => new SourceText("source_file", name, text));
  return traceError(parseText(log), null, sources);
}

/** The signals about a JavaScript error whose innermost frame is the first one given. */
export async function signalsIn(
  files: Files,
  message: string,
  ...frames: readonly string[]
): Promise<readonly AnyCodeSignal[]> {
  const log = [message, ...frames.map((frame) => `    at ${frame}`)].join("\n");
  return (await traced(log, files)).signals;
}

export const undefinedRead = (property: string): string =>
  `TypeError: Cannot read properties of undefined (reading '${property}')`;

/** Every step of the values, as `how file:line`. */
export function stepsOf(signals: readonly AnyCodeSignal[]): string[] {
  return signals.flatMap((signal) => (signal.kind === "value-step" ? [describeStep(signal)] : []));
}

/** Where the trails end, as `how file:line`. */
export function endsOf(signals: readonly AnyCodeSignal[]): string[] {
  return signals.flatMap((signal) => (signal.kind === "value-step" && signal.isEnd ? [describeStep(signal)] : []));
}

function describeStep({ args, subject }: CodeSignal<"value-step">): string {
  return `${args.how} ${subject.file}:${subject.line}`;
}

/** The signals of one kind, as their arguments and their line. */
export function ofKind(signals: readonly AnyCodeSignal[], kind: CodeSignalKind): { line: number; args: object }[] {
  return signals.flatMap((signal) => (signal.kind === kind ? [{ line: signal.subject.line, args: signal.args }] : []));
}
