import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { parseJson, WhenceError } from "@whence/protocol";
import type { BackupRow, StoredEvent } from "@whence/storage";
import type { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { backupFormat, endSchema, eventLineSchema, headSchema, rowLineSchema } from "./backup-format.ts";

/** A row holds at most a report or a file, a few MiB; a file without line breaks must not exhaust the memory. */
const lineLengthMax = 64 * 1_024 * 1_024;
const unpackedChunkBytes = 64 * 1_024;

/** The parts of a backup in order: first all rows, then all events. */
export type BackupItem =
  | { readonly kind: "row"; readonly row: BackupRow }
  | { readonly kind: "event"; readonly event: StoredEvent /** Characters of its line. */; readonly length: number };

/**
 * Reads a backup line by line and checks each. Rejects at the first problem: with `WHENCE_ERR_BACKUP_FOREIGN` for a file that
 * isn't a backup, `…_NEWER` for the format of a later release, `…_TRUNCATED` when the end is missing, and `…_CORRUPT` when a
 * line is damaged or the count is wrong. A backup that was read to its end is complete.
 */
export async function* readBackup(file: Readable): AsyncGenerator<BackupItem> {
  const count = { rows: 0, events: 0 };
  let number = 0;
  let hasEnded = false;
  for await (const line of linesOf(file)) {
    number += 1;
    if (hasEnded) throw corrupt(number, "it comes after the final line");
    if (number === 1) {
      requireHead(line);
      continue;
    }
    const value = parseObject(line, number);
    if ("end" in value) {
      requireCount(checked(endSchema, value, number).end, count, number);
      hasEnded = true;
    } else if ("event" in value) {
      count.events += 1;
      yield { kind: "event", event: checked(eventLineSchema, value, number).event, length: line.length };
    } else {
      if (count.events > 0) throw corrupt(number, "it is a row after the events");
      count.rows += 1;
      yield { kind: "row", row: checked(rowLineSchema, value, number) };
    }
  }
  if (number === 0) throw foreign("it is empty");
  if (!hasEnded) throw analyzerErrors.create("WHENCE_ERR_BACKUP_TRUNCATED");
}

function requireHead(line: string): void {
  const head = headSchema.safeParse(parseJson(line));
  if (!head.success) throw foreign("its first line isn't that of a backup");
  const { whence_backup: format } = head.data;
  if (format > backupFormat) throw analyzerErrors.create("WHENCE_ERR_BACKUP_NEWER", [format, backupFormat]);
}

type Count = z.infer<typeof endSchema>["end"];

function requireCount(said: Count, found: Count, number: number): void {
  if (said.rows === found.rows && said.events === found.events) return;
  const [stands, holds] = [said, found].map(({ rows, events }) => `${rows} rows and ${events} events`);
  throw corrupt(number, `it should hold ${stands}, but holds ${holds}`);
}

function parseObject(line: string, number: number): object {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null) throw corrupt(number, "it isn't a JSON object");
  return value;
}

function checked<Schema extends z.ZodType>(schema: Schema, value: object, number: number): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw corrupt(number, `${issue?.path.join(".")}: ${issue?.message}`);
}

/** The unpacked text by lines. `node:readline` would also split at U+2028, which JSON allows inside strings. */
async function* linesOf(file: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let number = 0;
  let rest = "";
  try {
    for await (const chunk of unpacked(file)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > lineLengthMax) throw corrupt(number + 1, `it has more than ${lineLengthMax} characters`);
      for (const line of lines) {
        number += 1;
        yield line;
      }
    }
  } catch (error) {
    throw translate(error, number);
  }
  if (rest !== "") throw analyzerErrors.create("WHENCE_ERR_BACKUP_TRUNCATED");
}

function unpacked(file: Readable): AsyncIterable<Uint8Array> {
  // Without a callback, a failure would be an uncaught exception; the iteration rejects with it as well.
  return pipeline(file, createGunzip({ chunkSize: unpackedChunkBytes }), () => undefined);
}

/** Translates the unpacker's errors; errors from reading the file stay as they are. */
function translate(error: unknown, linesRead: number): unknown {
  if (error instanceof WhenceError || !(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "Z_BUF_ERROR") return analyzerErrors.create("WHENCE_ERR_BACKUP_TRUNCATED", [], { cause: error });
  if (error.code !== "Z_DATA_ERROR") return error;
  return linesRead === 0 ? foreign("it isn't gzipped") : corrupt(linesRead + 1, error.message);
}

function foreign(reason: string): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_BACKUP_FOREIGN", [reason]);
}

function corrupt(line: number, reason: string): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_BACKUP_CORRUPT", [line, reason]);
}
