import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { WhenceError } from "@whence/protocol";
import type { BackupRow, StoredEvent } from "@whence/storage";
import type { z } from "zod";
import { analyzerErrors } from "../errors.ts";
import { parseJson } from "../parse-json.ts";
import { backupFormat, endSchema, eventLineSchema, headSchema, rowLineSchema } from "./backup-format.ts";

/** A row holds a report or a file at most, which are a few MiB; a file without line ends must not fill the memory. */
const lineLengthMax = 64 * 1_024 * 1_024;
const unpackedChunkBytes = 64 * 1_024;

/** What a backup holds, in the order in which it stands there: first all rows, then all events. */
export type BackupItem =
  | { readonly kind: "row"; readonly row: BackupRow }
  | { readonly kind: "event"; readonly event: StoredEvent /** Characters of its line. */; readonly length: number };

/**
 * Reads a backup line by line, each checked. Rejects, at the place where it is found out, with
 * `WHENCE_ERR_BACKUP_FOREIGN` for what is none, `…_NEWER` for a format of a later release, `…_TRUNCATED` when the end is
 * missing and `…_CORRUPT` when a line is damaged or the count is wrong. So it is whole when this has come to its end.
 */
export async function* readBackup(file: Readable): AsyncGenerator<BackupItem> {
  const count = { rows: 0, events: 0 };
  let number = 0;
  let hasEnded = false;
  for await (const line of linesOf(file)) {
    number += 1;
    if (hasEnded) throw corrupt(number, "it comes after the last one");
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
      if (count.events > 0) throw corrupt(number, "it is a row behind the events");
      count.rows += 1;
      yield { kind: "row", row: checked(rowLineSchema, value, number) };
    }
  }
  if (number === 0) throw foreign("it is empty");
  if (!hasEnded) throw analyzerErrors.create("WHENCE_ERR_BACKUP_TRUNCATED");
}

function requireHead(line: string): void {
  const head = headSchema.safeParse(parseJson(line));
  if (!head.success) throw foreign("its first line is not that of a backup");
  const { whence_backup: format } = head.data;
  if (format > backupFormat) throw analyzerErrors.create("WHENCE_ERR_BACKUP_NEWER", [format, backupFormat]);
}

type Count = z.infer<typeof endSchema>["end"];

function requireCount(said: Count, found: Count, number: number): void {
  if (said.rows === found.rows && said.events === found.events) return;
  const [stands, holds] = [said, found].map(({ rows, events }) => `${rows} rows and ${events} events`);
  throw corrupt(number, `it counts ${stands}, and there are ${holds}`);
}

function parseObject(line: string, number: number): object {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null) throw corrupt(number, "it is no JSON object");
  return value;
}

function checked<Schema extends z.ZodType>(schema: Schema, value: object, number: number): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw corrupt(number, `${issue?.path.join(".")}: ${issue?.message}`);
}

/** The unpacked text by lines. `node:readline` would also end lines at U+2028, which JSON has inside of texts. */
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
  // Without a callback of its own a failure would be thrown at nobody; the iteration rejects with it.
  return pipeline(file, createGunzip({ chunkSize: unpackedChunkBytes }), () => undefined);
}

/** The unpacker's errors in our words; the file's own (it cannot be read) unchanged. */
function translate(error: unknown, linesRead: number): unknown {
  if (error instanceof WhenceError || !(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "Z_BUF_ERROR") return analyzerErrors.create("WHENCE_ERR_BACKUP_TRUNCATED", [], { cause: error });
  if (error.code !== "Z_DATA_ERROR") return error;
  return linesRead === 0 ? foreign("it is not gzipped") : corrupt(linesRead + 1, error.message);
}

function foreign(reason: string): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_BACKUP_FOREIGN", [reason]);
}

function corrupt(line: number, reason: string): WhenceError {
  return analyzerErrors.create("WHENCE_ERR_BACKUP_CORRUPT", [line, reason]);
}
