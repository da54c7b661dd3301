import { isFailure } from "@whence/protocol/level";
import { limits } from "@whence/protocol/limits";
import { isError } from "../runtime/is-error.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { withoutColours } from "../runtime/without-colours.ts";
import { boundedRecord, ownKeys, readItems } from "./bounded-data.ts";
import type { Level } from "./level.ts";
import { firstCall } from "./stack.ts";

/** A log record, captured while the logger writes it. */
export interface LogRecord {
  /** The logger, which becomes the event's mechanism. */
  readonly logger: "console" | "pino" | "winston" | "bunyan" | "nestjs";
  readonly level: Level;
  readonly message: string;
  /** The error in the record, or its serialized form. */
  readonly error?: unknown;
  /** The record's other fields. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

const printedTitle = /^([A-Z]\w*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: ([\s\S]*))?$/;
/** Matches a title after other words, as in "failed: TypeError: …". */
const titleInLine = /[^\S\n](?:[A-Z]\w*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: |\n|$)/;
/** Matches the indentation of every line of a text that follows an empty line; Koa prints stacks that way. */
const indentation = /^\n([ \t]+)\S/;

/**
 * Returns the error of a record whose message is a printed stack, as from `console.error(error.stack)`, even indented
 * or with words or lines before it; undefined for any other message.
 */
export function printedError(message: string): object | undefined {
  const indent = indentation.exec(message)?.[1];
  const text = indent === undefined ? message : message.trim().replaceAll(`\n${indent}`, "\n");
  const calls = text.search(firstCall);
  if (calls === -1) return undefined;
  const head = text.slice(0, calls);
  // If the whole head isn't a title, its first part that looks like one is used.
  const title = printedTitle.test(head) ? head : titleAfterOthers(head);
  const [, name, said = ""] = printedTitle.exec(title) ?? [];
  const stack = (title + text.slice(calls)).slice(0, limits.stackLengthMax);
  return name === undefined ? undefined : { name, message: said, stack };
}

function titleAfterOthers(head: string): string {
  const inLine = titleInLine.exec(head)?.index;
  if (inLine !== undefined && !head.slice(0, inLine).includes("\n")) return head.slice(inLine + 1);
  const lines = head.split("\n").map((line) => line.trimStart());
  const start = lines.findIndex((line, index) => index > 0 && printedTitle.test(line));
  return start === -1 ? "" : lines.slice(start).join("\n");
}

/** Whether a record logs `error`: the object, its printed stack, or the text of a value without a stack. */
export function isRecordOf({ error: logged, message, fields }: LogRecord, error: unknown): boolean {
  if (error === undefined) return false;
  const stack = asText(readProperty(error, "stack"));
  if (stack === "") {
    const text = typeof error === "object" ? "[object Object]" : String(error);
    return text !== "" && (message === text || Object.values(fields ?? {}).includes(text));
  }
  return logged === error || message === stack || readProperty(logged, "stack") === stack;
}

/** Adds the error whose stack the message contains, if a failure's record has no error. */
export function withPrintedError(record: LogRecord): LogRecord {
  if (record.error !== undefined || !isFailure(record.level)) return record;
  return { ...record, error: printedError(record.message.slice(0, limits.messageLengthMax)) };
}

/** Returns the first error, or serialized error, among a record's fields, and the field's name. */
export function errorIn(record: unknown): { readonly error: unknown; readonly field: string } | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  for (const field of ownKeys(record)) {
    const value = readProperty(record, field);
    if (isError(value)) return { error: value, field };
    if (isSerialized(value)) return { error: named(value), field };
  }
  return undefined;
}

/** Whether a value is a serialized error. Other things have a stack as well, such as cloud deployments. */
function isSerialized(value: unknown): boolean {
  const stack = readProperty(value, "stack");
  return typeof stack === "string" && (typeof readProperty(value, "message") === "string" || firstCall.test(stack));
}

/** Returns the error with its name, which serializers call `type`. */
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

/** Returns a record's fields except the named ones; undefined when there are none. */
export function fieldsBeside(record: unknown, known: readonly string[]): Record<string, unknown> | undefined {
  const fields = boundedRecord(record, limits.messageLengthMax)?.data;
  if (fields === undefined) return undefined;
  for (const name of known) delete fields[name];
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** Functions for reading loggers' records. The client passes them, so that no logger bundles a copy. */
export const recordReader = { errorIn, fieldsBeside, isError, printedError, readItems, withoutColours };
export type RecordReader = typeof recordReader;
