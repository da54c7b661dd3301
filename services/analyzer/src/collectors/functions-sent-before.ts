import { dayMs, type TelemetryEvent } from "@whence/protocol";
import type { ScopedEvents, StoredEvent } from "@whence/storage";

/** The default retention of events. */
const lookedBackMs = 30 * dayMs;
/** Another process's clock may be ahead. */
const lookedAheadMs = dayMs;
const eventsMax = 20;

/** All lines of a function, with the 1-based number of the first. */
export interface FunctionSource {
  readonly file: string;
  readonly startLine: number;
  readonly lines: readonly string[];
}

/** The lines that a frame carries, and the function they belong to. Numbers are 1-based, ends included. */
interface Shown extends FunctionSource {
  readonly function: { readonly start_line: number; readonly end_line: number };
}

type Frame = NonNullable<NonNullable<TelemetryEvent["exceptions"]>[number]["frames"]>[number];

/** Returns the event with all lines of its functions, where {@link functionsSentBefore} finds them. */
export async function withFunctionsSentBefore(events: ScopedEvents, stored: StoredEvent): Promise<TelemetryEvent> {
  const functions = await functionsSentBefore(events, stored);
  const { exceptions } = stored.event;
  if (functions.length === 0 || !exceptions) return stored.event;
  const completed = exceptions.map((exception) =>
    exception.frames
      ? { ...exception, frames: exception.frames.map((frame) => withFunction(frame, functions)) }
      : exception,
  );
  return { ...stored.event, exceptions: completed };
}

/** Adds a function's lines, keeping those outside of it, since a window may extend beyond it. */
function withFunction(frame: Frame, functions: readonly FunctionSource[]): Frame {
  const { file, context } = frame;
  const bounds = context?.function;
  if (!context || !bounds) return frame;
  const whole = functions.find(
    ({ file: of, startLine, lines }) =>
      of === file && startLine === bounds.start_line && startLine + lines.length === bounds.end_line + 1,
  );
  if (!whole) return frame;
  const { start_line: start, lines } = context;
  const before = lines.slice(0, Math.max(0, whole.startLine - start));
  const after = lines.slice(Math.max(0, bounds.end_line + 1 - start));
  const completed = { start_line: Math.min(start, whole.startLine), lines: [...before, ...whole.lines, ...after] };
  return { ...frame, context: { ...context, ...completed } };
}

/**
 * Returns the functions that an event names without all of their lines, from other events of the same service and
 * release, because a client sends each function once. Leaves out one that contradicts the event's own lines. Queries
 * nothing when no lines are missing, or when the release is unknown. Rejects as the event store does.
 */
export async function functionsSentBefore(
  events: ScopedEvents,
  { event, service, release, fingerprint, receivedAt }: StoredEvent,
): Promise<readonly FunctionSource[]> {
  const own = shownIn(event);
  const missing = own.filter((shown) => !own.some((other) => isSameFunction(shown, other) && isWhole(other)));
  if (missing.length === 0 || release === "") return [];
  const received = Date.parse(receivedAt);
  const from = new Date(received - lookedBackMs).toISOString();
  const to = new Date(received + lookedAheadMs).toISOString();
  const others = await events.firstOfFailures({ service, release, fingerprint, from, to, limit: eventsMax });
  const wholes = others.flatMap((other) => shownIn(other.event)).filter(isWhole);
  const found = missing.map((shown) => wholes.find((whole) => isSameFunction(shown, whole) && agrees(shown, whole)));
  return [...new Set(found)].flatMap((whole) => (whole ? [functionOf(whole)] : []));
}

function shownIn({ exceptions = [] }: TelemetryEvent): Shown[] {
  return exceptions
    .flatMap(({ frames = [] }) => frames)
    .flatMap(({ file, context }) =>
      file === undefined || context?.function === undefined
        ? []
        : [{ file, startLine: context.start_line, lines: context.lines, function: context.function }],
    );
}

function isSameFunction(one: Shown, other: Shown): boolean {
  return (
    one.file === other.file &&
    one.function.start_line === other.function.start_line &&
    one.function.end_line === other.function.end_line
  );
}

function isWhole({ startLine, lines, function: { start_line, end_line } }: Shown): boolean {
  return startLine <= start_line && startLine + lines.length > end_line;
}

/** Whether the lines that both have are the same: a release may have been built twice. */
function agrees(shown: Shown, whole: Shown): boolean {
  return shown.lines.every((line, index) => {
    const known = whole.lines[shown.startLine + index - whole.startLine];
    return known === undefined || known === line;
  });
}

function functionOf({ file, startLine, lines, function: { start_line, end_line } }: Shown): FunctionSource {
  return { file, startLine: start_line, lines: lines.slice(start_line - startLine, end_line - startLine + 1) };
}
