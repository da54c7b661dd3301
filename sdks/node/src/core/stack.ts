import { fileURLToPath } from "node:url";
import type { Frame } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { detach, trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** The calls of a stack. Errors with the same calls share one object. */
export interface Calls {
  /** The lines as V8 printed them, including the first line break. */
  readonly text: string;
  /** Innermost first. */
  readonly frames: readonly Frame[];
}

/** A stack in two parts: the lines that say what was thrown, and the calls. */
export interface Stack {
  readonly header: string;
  readonly calls: Calls;
}

/**
 * Matches where the calls of a printed stack begin. Not `\s+`, which also matches line breaks and would take quadratic
 * time on a message of only those.
 */
export const firstCall = /\n[^\S\n]+at /;
const keyLength = 80;
const noCalls: Calls = { text: "", frames: [] };
/** A cache, newest last. Parsing the same stack for each error of a burst would be most of their cost. */
const known = new Map<string, Calls>();

/**
 * Splits a stack. `title` is the text that V8 puts before the calls, `Name: message`, so that lines of a message that
 * look like calls aren't taken for calls.
 */
export function parseStack(stack: string, title: string): Stack {
  const searchFrom = stack.startsWith(title) ? title.length : 0;
  const start = firstCallIn(stack, searchFrom);
  if (start === -1) return { header: detach(trimText(stack, limits.messageLengthMax)), calls: noCalls };
  const header = start === title.length && searchFrom > 0 ? title : detach(stack.slice(0, start));
  return {
    header: trimText(header, limits.messageLengthMax),
    calls: callsOf(stack.slice(start, start + limits.stackLengthMax - limits.messageLengthMax)),
  };
}

/** Returns the index of the line break before the first call; -1 without one. */
function firstCallIn(stack: string, from: number): number {
  const usual = stack.indexOf("\n    at ", from);
  if (usual !== -1) return usual;
  const found = stack.slice(from).search(firstCall);
  return found === -1 ? -1 : from + found;
}

function callsOf(text: string): Calls {
  const key = keyOf(text);
  const seen = known.get(key);
  if (seen?.text === text) return seen;
  const kept = detach(text);
  const frames = kept.split("\n").flatMap((line) => parseFrame(line) ?? []);
  const calls = { text: kept, frames: Object.freeze(frames.slice(0, limits.framesMax)) };
  if (known.size >= sdkLimits.stacksCachedMax) known.delete(known.keys().next().value ?? "");
  known.set(key, calls);
  return calls;
}

/**
 * Returns a cache key from a stack's ends and length, which distinguish nearly all stacks: hashing all of it takes ten
 * times as long.
 */
function keyOf(text: string): string {
  return `${text.length}${text.slice(0, keyLength)}${text.slice(-keyLength)}`;
}

/** Parses one line of a V8 stack; returns undefined for any other line. */
export function parseFrame(line: string): Frame | undefined {
  const text = line.trim();
  if (!text.startsWith("at ")) return undefined;
  const { name, place } = split(text.slice(3));
  // Nine digits at most: the wire format has integers only, and this text is untrusted.
  const position = /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/.exec(evalOrigin(place));
  const file = toPath(position?.[1] ?? place);
  return {
    ...(name === undefined ? {} : { function: trimText(name, limits.textLengthMax) }),
    ...(file === undefined ? {} : { file: trimText(file, limits.textLengthMax) }),
    ...(position?.[2] === undefined ? {} : { line: Number(position[2]) }),
    ...(position?.[3] === undefined ? {} : { column: Number(position[3]) }),
    in_app: file !== undefined && isInApp(file),
  };
}

/** Splits `async load (file:1:2)`, `new Pool (file:1:2)`, `Object.run [as go] (file:1:2)`, or a place alone. */
function split(call: string): { name: string | undefined; place: string } {
  const text = call.startsWith("async ") ? call.slice("async ".length) : call;
  const open = text.indexOf(" (");
  if (!text.endsWith(")") || open === -1) return { name: undefined, place: text };
  return { name: text.slice(0, open), place: text.slice(open + 2, -1) };
}

/** Returns the place of the `eval` call, since code made by `eval` has no file. */
function evalOrigin(place: string): string {
  return /^eval at .*\(([^()]+:\d+:\d+)\)/.exec(place)?.[1] ?? place;
}

/** Returns the path of a file as V8 names it; undefined for anything that isn't a file. */
export function toPath(file: string): string | undefined {
  if (file === "" || file === "<anonymous>" || file === "native" || /^index \d+$/.test(file)) return undefined;
  if (!file.startsWith("file://")) return file;
  try {
    return fileURLToPath(file);
  } catch {
    // A URL with a host, or of another platform, is better than no name.
    return file;
  }
}

/** Whether a file belongs to the program rather than to the runtime, an installed package, or a bundler. */
export function isInApp(file: string): boolean {
  return !/^(?:node:|webpack\/)/.test(file) && !/(?:^|[\\/])node_modules[\\/]/.test(file);
}

/** Returns a line of a V8 stack with the place replaced by the one that `mapped` returns, if any. */
export function withPlace(
  line: string,
  mapped: (file: string, place: { line: number; column: number }) => Frame | undefined,
): string {
  const start = startOfPlace(line);
  const [, file, row, column, after] = /^(.+):(\d{1,9}):(\d{1,9})(\)?)$/.exec(line.slice(start)) ?? [];
  if (file === undefined) return line;
  const frame = mapped(toPath(file) ?? file, { line: Number(row), column: Number(column) });
  return frame ? `${line.slice(0, start)}${frame.file}:${frame.line}:${frame.column}${after}` : line;
}

/**
 * Finds the same place as {@link split}, without a pattern, which would backtrack at every bracket of a line full of
 * them.
 */
function startOfPlace(line: string): number {
  const call = /^\s+at (?:async )?/.exec(line)?.[0].length ?? line.length;
  const open = line.endsWith(")") ? line.indexOf(" (", call) : -1;
  return open === -1 ? call : open + 2;
}
