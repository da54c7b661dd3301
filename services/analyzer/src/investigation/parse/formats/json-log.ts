import type { Scalar } from "../../findings.ts";
import type { ReadableLine } from "../lines.ts";

/** An error that a structured logger wrote, ready to be read as text. */
export interface LoggedError {
  /** The stack, or the name and message when there was none, line by line, each standing for the whole log line. */
  readonly lines: readonly ReadableLine[];
  readonly properties: Readonly<Record<string, Scalar>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Where loggers put the error: pino, bunyan, winston, ECS, log4js, and those that spread it over the record. */
const errorFields = ["err", "error", "exception", "reason"];
const stackFields = ["stack", "stack_trace", "stacktrace", "exception.stacktrace"];

/**
 * The error in a line of JSON as pino, bunyan or winston write it; null for a line that is none or that holds none.
 */
export function parseJsonLog(line: ReadableLine, raw: string): LoggedError | null {
  const text = raw.trim();
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  const record = parseFields(text);
  if (!record) return null;
  const error = errorFields.map((name) => record[name]).find(isFields) ?? record;
  const stack = stackFields.map((name) => error[name]).find((value) => typeof value === "string");
  const printed = typeof stack === "string" ? stack : printedOf(error, record);
  if (printed === null) return null;
  const lines = printed.split("\n").map((part) => ({ text: part.trimEnd(), printed: line.printed }));
  return { lines, properties: scalarsOf(error) };
}

function printedOf(error: Fields, record: Fields): string | null {
  const message = text(error.message) ?? text(error.msg);
  const type = text(error.type) ?? text(error.name) ?? "Error";
  const isFailure = error !== record || isErrorLevel(record.level ?? record.severity);
  return message !== null && isFailure ? `${type}: ${message}` : null;
}

/** pino and bunyan: 50 error, 60 fatal; others by name. */
function isErrorLevel(level: unknown): boolean {
  if (typeof level === "number") return level >= 50;
  return typeof level === "string" && /^(?:error|fatal|critical|crit|alert|emerg)/i.test(level);
}

const described = new Set(["message", "msg", "stack", "name", "type", "level", "time", "timestamp", "pid", "hostname"]);

function scalarsOf(error: Fields): Record<string, Scalar> {
  const scalars: [string, Scalar][] = [];
  for (const [name, value] of Object.entries(error)) {
    if (!described.has(name) && isScalar(value)) scalars.push([name, value]);
  }
  return Object.fromEntries(scalars.slice(0, 50));
}

function parseFields(json: string): Fields | null {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : null;
  } catch {
    // Looks like JSON and is none: it stays text.
    return null;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
