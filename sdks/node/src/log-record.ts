import { isNativeError } from "node:util/types";
import { limits } from "@whence/protocol/limits";
import { asText, boundedRecord, ownKeys, readProperty } from "./bounded-data.ts";
import type { Level } from "./level.ts";

// For the loggers: what reads a record is one chunk of the package, which each of them would else carry a copy of.
export { asText, readItems, readProperty } from "./bounded-data.ts";

/** One record of a logger, as it is handed over while the logger writes it. */
export interface LogRecord {
  /** Names the mechanism of its event. */
  readonly logger: "console" | "pino" | "winston" | "bunyan";
  readonly level: Level;
  readonly message: string;
  /** The error that the record tells of, or what a serializer made of one. */
  readonly error?: unknown;
  /** The record's other fields. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** Text that holds a printed stack as V8 prints it. */
const printedStack = /\n[^\S\n]+at /;
const printedTitle = /^([A-Z]\w*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: ([\s\S]*))?$/;
/** What stands before every line of a text that is set apart by an empty line, as Koa sets a stack apart. */
const indentation = /^\n([ \t]+)\S/;

/**
 * The error of a record whose message is a printed stack, as `console.error(error.stack)` leaves it, indented or with
 * other lines before it; undefined for any other message.
 */
export function printedError(message: string): object | undefined {
  const indent = indentation.exec(message)?.[1];
  const text = indent === undefined ? message : message.trim().replaceAll(`\n${indent}`, "\n");
  const calls = text.search(printedStack);
  if (calls === -1) return undefined;
  const head = text.slice(0, calls);
  // Where the whole is no title, it begins with the first line that looks like one.
  const title = printedTitle.test(head) ? head : titleAfterOthers(head);
  const [, name, said = ""] = printedTitle.exec(title) ?? [];
  const stack = (title + text.slice(calls)).slice(0, limits.stackLengthMax);
  return name === undefined ? undefined : { name, message: said, stack };
}

function titleAfterOthers(head: string): string {
  const lines = head.split("\n").map((line) => line.trimStart());
  const start = lines.findIndex((line, index) => index > 0 && printedTitle.test(line));
  return start === -1 ? "" : lines.slice(start).join("\n");
}

/** Whether a record tells of `error`, or is nothing but its printed stack. */
export function tellsOf({ error: told, message }: LogRecord, error: unknown): boolean {
  if (error === undefined) return false;
  const stack = asText(readProperty(error, "stack"));
  return told === error || (stack !== "" && (message === stack || readProperty(told, "stack") === stack));
}

/** The error among a record's fields, and which it is: the first that is one, or that a serializer made of one. */
export function errorIn(record: unknown): { readonly error: unknown; readonly field: string } | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  for (const field of ownKeys(record)) {
    const value = readProperty(record, field);
    if (isNativeError(value)) return { error: value, field };
    if (typeof readProperty(value, "stack") === "string") return { error: named(value), field };
  }
  return undefined;
}

/** Serializers say `type` where an error says `name`. */
function named(serialized: unknown): object {
  const { data = {} } = boundedRecord(serialized, limits.stackLengthMax) ?? {};
  return {
    ...data,
    name: asText(readProperty(serialized, "name")) || asText(readProperty(serialized, "type")) || "Error",
    message: asText(readProperty(serialized, "message")),
    stack: asText(readProperty(serialized, "stack")),
    cause: readProperty(serialized, "cause"),
  };
}

/** A record's fields but for the named ones; undefined when there are none. */
export function fieldsBeside(record: unknown, known: readonly string[]): Record<string, unknown> | undefined {
  const fields = boundedRecord(record, limits.messageLengthMax)?.data;
  if (fields === undefined) return undefined;
  for (const name of known) delete fields[name];
  return Object.keys(fields).length > 0 ? fields : undefined;
}
