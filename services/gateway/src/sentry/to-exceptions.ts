import { type Exception, type Frame, limits } from "@whence/protocol";
import { boundedData, cutText } from "../mapping/bounded-data.ts";
import type { Platform } from "./platforms.ts";
import type { SentryException, SentryFrame } from "./read-event.ts";
import { sentryLimits } from "./sentry-limits.ts";

/** Returns the errors of an event, outermost first. Sentry's clients send the innermost cause first. */
export function toExceptions(values: readonly SentryException[], platform: Platform): Exception[] {
  const outermostFirst = withKnownOwners(values).toReversed();
  const indexes = new Map(outermostFirst.map(({ mechanism }, index) => [mechanism?.exception_id, index]));
  return outermostFirst.map((value, index) => {
    const parent = parentOf(value, index, indexes);
    return { ...toException(value, platform), ...(parent === undefined ? {} : { parent }) };
  });
}

/** Drops `in_app` where a client calls none of the calls the program's own: it doesn't know which are. */
function withKnownOwners(values: readonly SentryException[]): readonly SentryException[] {
  const framesOf = ({ stacktrace }: SentryException): readonly SentryFrame[] => stacktrace?.frames ?? [];
  if (values.some((value) => framesOf(value).some(({ in_app: isOwn }) => isOwn === true))) return values;
  return values.map((value) => ({
    ...value,
    stacktrace: { frames: framesOf(value).map((frame) => ({ ...frame, in_app: undefined })) },
  }));
}

/** Returns the index of the error that this one caused: the one that it names, or else the one before it. */
function parentOf(
  { mechanism }: SentryException,
  index: number,
  indexes: ReadonlyMap<number | undefined, number>,
): number | undefined {
  if (index === 0) return undefined;
  const named = mechanism?.parent_id === undefined ? undefined : indexes.get(mechanism.parent_id);
  return named !== undefined && named < index ? named : index - 1;
}

function toException(
  { type = "Error", value = "", module, stacktrace }: SentryException,
  platform: Platform,
): Exception {
  const frames = (stacktrace?.frames ?? []).toReversed();
  const calls = frames.map((frame) => ({
    file: platform.file(frame),
    name: platform.call(frame),
    line: frame.lineno,
    column: frame.colno,
    source: frame.context_line,
  }));
  const written = platform.type?.(type, module) ?? type;
  const stack = calls.length === 0 ? "" : platform.stack({ type: written, message: value, calls });
  return {
    type: cutText(written, limits.textLengthMax),
    message: cutText(value, limits.messageLengthMax),
    stack: cutText(stack, limits.stackLengthMax),
    ...(frames.length > 0 && { frames: frames.map((frame) => toFrame(frame, platform)) }),
    ...(module !== undefined && { module: cutText(module, limits.textLengthMax) }),
  };
}

function toFrame(frame: SentryFrame, platform: Platform): Frame {
  const [file, call] = [platform.file(frame), platform.call(frame)];
  const context = contextOf(frame);
  return {
    ...(file !== undefined && { file: cutText(file, limits.textLengthMax) }),
    ...(call !== undefined && { function: cutText(call, limits.textLengthMax) }),
    ...(frame.lineno !== undefined && { line: frame.lineno }),
    ...(frame.colno !== undefined && { column: frame.colno }),
    ...(frame.in_app !== undefined && { in_app: frame.in_app }),
    ...(context && { context }),
    ...(frame.vars && { vars: variablesOf(frame.vars, platform) }),
  };
}

/** Returns the lines around the call. Without its own line, the others have no numbers. */
function contextOf({ lineno, pre_context: before = [], context_line: own, post_context: after = [] }: SentryFrame) {
  if (lineno === undefined || own === undefined || lineno <= before.length) return undefined;
  const lines = [...before, own, ...after].slice(0, limits.contextLinesMax);
  return { start_line: lineno - before.length, lines: lines.map(toLine) };
}

/** Some clients send lines with their ends. */
function toLine(line: string): string {
  return cutText(line.replace(/\r?\n$/, ""), limits.textLengthMax);
}

function variablesOf(vars: Readonly<Record<string, unknown>>, { value: read }: Platform): Record<string, unknown> {
  // A module's own names say nothing about the failure.
  const named = Object.entries(vars).filter(([name]) => !/^__\w+__$/.test(name));
  const bounded = boundedData(Object.fromEntries(named.slice(0, sentryLimits.variablesMax)));
  return read ? mapTexts(bounded, read) : bounded;
}

function mapTexts(fields: Readonly<Record<string, unknown>>, read: (text: string) => unknown): Record<string, unknown> {
  const map = (value: unknown): unknown => {
    if (typeof value === "string") return read(value);
    if (Array.isArray(value)) return value.map(map);
    return typeof value === "object" && value !== null ? mapTexts({ ...value }, read) : value;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));
}
