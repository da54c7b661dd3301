import { originalPositionFor } from "@jridgewell/trace-mapping";
import type { Exception, Frame, TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol";
import type { WantedSources } from "../source-provider.ts";
import { type BuiltFiles, type MappedFile, type OpenedFiles, originalIn } from "./built-files.ts";
import { isInstalled } from "./built-paths.ts";

/** Lines around a call that a frame shows, before and after it. */
const linesAround = 5;
/** A minifier's names are no longer. */
const minifiedLengthMax = 2;

/** Also of React Native: `main.jsbundle` and `index.android.bundle`. */
const builtFile = /\.(?:[cm]?js|(?:js)?bundle)\b/;

/** A call in the original code. */
interface OriginalCall {
  readonly frame: Frame;
  /** What the code names at the place: the function that it calls. */
  readonly named: string | null;
}

/**
 * Returns an event whose calls are in the original code, where maps of built files are stored. Calls that no map leads
 * to stay as they are.
 */
export async function withOriginalFrames(
  event: TelemetryEvent,
  wanted: WantedSources,
  built: BuiltFiles,
): Promise<TelemetryEvent> {
  const isBuilt = event.exceptions?.some(({ frames = [] }) => frames.some(isGenerated)) ?? false;
  if (!isBuilt || !event.exceptions) return event;
  const originals = new Originals(await built.open(wanted));
  const exceptions: Exception[] = [];
  for (const exception of event.exceptions) exceptions.push(await originals.exception(exception));
  return { ...event, exceptions };
}

/** Whether a map may lead from a call: a client that mapped it already says so. */
function isGenerated({ file, line, column, generated }: Frame): boolean {
  return generated === undefined && line !== undefined && column !== undefined && builtFile.test(file ?? "");
}

class Originals {
  readonly #files: OpenedFiles;
  readonly #known = new Map<string, MappedFile | null>();

  constructor(files: OpenedFiles) {
    this.#files = files;
  }

  async exception(exception: Exception): Promise<Exception> {
    const calls: OriginalCall[] = [];
    for (const frame of exception.frames ?? []) calls.push(await this.#call(frame));
    if (calls.every(({ frame }) => frame.generated === undefined)) return exception;
    // The innermost call is first: the one after it called its function.
    const frames = calls.map(({ frame }, index) => withName(frame, calls[index + 1]?.named ?? null));
    return { ...exception, frames, stack: printed(exception, frames) };
  }

  async #call(frame: Frame): Promise<OriginalCall> {
    const { file = "", line = 0, column = 0 } = frame;
    const mapped = isGenerated(frame) ? await this.#mapped(file) : null;
    if (!mapped) return { frame, named: null };
    const place = originalPositionFor(mapped.map, { line: Math.max(1, line), column: Math.max(0, column - 1) });
    const path = originalIn(mapped, place.source);
    if (path === null || place.line === null) return { frame, named: null };
    const text = await mapped.original(path);
    const { context: _, ...rest } = frame;
    const original: Frame = {
      ...rest,
      file: path,
      line: place.line,
      column: (place.column ?? 0) + 1,
      in_app: !isInstalled(path),
      generated: { file, line, column },
      ...(text !== null && { context: contextOf(text, place.line) }),
    };
    return { frame: original, named: place.name };
  }

  async #mapped(file: string): Promise<MappedFile | null> {
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    const found = await this.#files.find(file);
    this.#known.set(file, found);
    return found;
  }
}

function withName(frame: Frame, called: string | null): Frame {
  if (frame.generated === undefined) return frame;
  const { function: minified, ...rest } = frame;
  const name = called ?? (minified !== undefined && minified.length > minifiedLengthMax ? minified : undefined);
  return name === undefined ? rest : { ...rest, function: name };
}

function contextOf(text: string, line: number): Frame["context"] {
  const start = Math.max(1, line - linesAround);
  const lines = text.split("\n", line + linesAround).slice(start - 1);
  return { start_line: start, lines: lines.map((one) => one.slice(0, limits.textLengthMax)) };
}

/** Returns the stack as a runtime prints it. */
function printed({ type, message }: Exception, frames: readonly Frame[]): string {
  const lines = frames.map(({ file = "<anonymous>", line, column, function: name }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    return name === undefined ? `    at ${place}` : `    at ${name} (${place})`;
  });
  return [`${type}: ${message}`, ...lines].join("\n").slice(0, limits.stackLengthMax);
}
