import type { AnalysisPreview, Exception, Frame, TelemetryEvent } from "@whence/protocol";

/** A stack frame as a page shows it. */
export interface TraceFrame {
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  /** False for code of packages and of the runtime. */
  readonly isOwn: boolean;
  readonly source: { readonly firstLine: number; readonly lines: readonly string[] } | null;
  /** Local variables when it failed, by name. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An error of a stack trace. */
export interface TraceError {
  readonly title: string;
  /** How it relates to the one before it; null for the first. */
  readonly relation: string | null;
  /** Innermost first. */
  readonly frames: readonly TraceFrame[];
  /** As its runtime printed it; empty when that isn't known. */
  readonly text: string;
}

/** Lines of source shown before and after a frame's own. */
const reachLines = 4;

/** Returns the errors of an event, each followed by its causes. */
export function traceOfEvent({ exceptions = [] }: Pick<TelemetryEvent, "exceptions">): TraceError[] {
  return exceptions.map((exception, index) => ({
    title: titleOf(exception),
    relation: index === 0 ? null : relationOf(exceptions, index),
    frames: (exception.frames ?? []).map(frameOf),
    text: exception.stack,
  }));
}

const relations = {
  cause: "Caused by",
  aggregated: "One of several",
  context: "Raised while handling",
  suppressed: "Suppressed",
} as const;

/** Returns the errors that a text was read as. */
export function traceOfText({ exceptions }: Pick<AnalysisPreview, "exceptions">): TraceError[] {
  return exceptions.map((exception) => ({
    title: titleOf(exception),
    relation: exception.relation === null ? null : relations[exception.relation],
    frames: exception.frames.map(({ function: name, file, line, origin }) => ({
      function: name,
      file,
      line,
      isOwn: origin === "app",
      source: null,
      variables: {},
    })),
    text: "",
  }));
}

function titleOf({ type, message }: { readonly type: string; readonly message: string }): string {
  return message === "" ? type : `${type}: ${message}`;
}

/** An error has one cause, and an aggregate several members. */
function relationOf(exceptions: readonly Exception[], index: number): string {
  const parentOf = (of: number): number => exceptions[of]?.parent ?? of - 1;
  const isOneOfSeveral = exceptions.some(
    (_, other) => other > 0 && other !== index && parentOf(other) === parentOf(index),
  );
  return isOneOfSeveral ? relations.aggregated : relations.cause;
}

function frameOf({ function: name, file, line, in_app: isOwn, context, vars }: Frame): TraceFrame {
  return {
    function: name ?? null,
    file: file ?? null,
    line: line ?? null,
    isOwn: isOwn !== false,
    source: context === undefined ? null : near(context.start_line, context.lines, line ?? context.start_line),
    variables: vars ?? {},
  };
}

function near(start: number, lines: readonly string[], line: number): TraceFrame["source"] {
  const from = Math.max(start, line - reachLines);
  const shown = lines.slice(from - start, line - start + reachLines + 1);
  return shown.length === 0 ? null : { firstLine: from, lines: shown };
}

/** Frames of the organization's own code, or consecutive ones of packages and the runtime. */
export interface FrameGroup {
  readonly isOwn: boolean;
  readonly frames: readonly TraceFrame[];
}

/** Returns own frames one by one, and those of libraries together. */
export function frameGroups(frames: readonly TraceFrame[]): FrameGroup[] {
  const groups: { isOwn: boolean; frames: TraceFrame[] }[] = [];
  for (const frame of frames) {
    const last = groups.at(-1);
    if (last && !last.isOwn && !frame.isOwn) last.frames.push(frame);
    else groups.push({ isOwn: frame.isOwn, frames: [frame] });
  }
  return groups;
}

/** Returns a trace as text, as its runtime printed it where that is known. */
export function traceText(errors: readonly TraceError[]): string {
  return errors.map((error, index) => `${index === 0 ? "" : `${error.relation ?? ""}: `}${printed(error)}`).join("\n");
}

function printed({ title, frames, text }: TraceError): string {
  if (text !== "") return text;
  const places = frames.map(({ function: name, file, line }) => {
    const place = [file ?? "unknown", line].filter((part) => part !== null).join(":");
    return `    at ${name === null ? place : `${name} (${place})`}`;
  });
  return [title, ...places].join("\n");
}
