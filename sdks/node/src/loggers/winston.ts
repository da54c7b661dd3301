import { Writable } from "node:stream";
import { currentClient } from "../core/current-client.ts";
import type { LogRecord, RecordReader } from "../core/log-record.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { levelOfName } from "./level-of-name.ts";

/** The key of winston's level, which formats don't change (`triple-beam`). */
const levelKey = Symbol.for("level");
const splatKey = Symbol.for("splat");

/** A transport for winston 3. Never throws, and writes no output. */
export class WhenceTransport extends Writable {
  constructor() {
    super({ objectMode: true });
  }

  /** Identifies this object as a transport to winston. */
  log(info: unknown, next: () => void): void {
    const client = currentClient();
    client?.guard(() => client.capture.log((reader) => toRecord(info, reader)), undefined)();
    next();
  }

  override _write(info: unknown, _encoding: string, next: () => void): void {
    this.log(info, next);
  }
}

function toRecord(info: unknown, reader: RecordReader): LogRecord {
  const message = readProperty(info, "message");
  const found = errorOf(info, message, reader);
  return {
    logger: "winston",
    level: levelOfName(asText(readProperty(info, levelKey)) || asText(readProperty(info, "level"))),
    message: typeof message === "string" ? reader.withoutColours(message) : asText(readProperty(message, "message")),
    error: found?.error,
    fields: reader.fieldsBeside(info, ["level", "message", "timestamp", "stack", found?.field ?? ""]),
  };
}

/**
 * Returns the error of a record. winston passes errors in many places: as the record, as its message, after the
 * message, in a field, as a stack.
 */
function errorOf(
  info: unknown,
  message: unknown,
  reader: RecordReader,
): { readonly error: unknown; readonly field?: string } | undefined {
  const given = [info, message, ...(reader.readItems(readProperty(info, splatKey)) ?? [])].find((one) =>
    reader.isError(one),
  );
  if (given !== undefined) return { error: given };
  return reader.errorIn(info) ?? printed(asText(readProperty(info, "stack")), reader);
}

function printed(stack: string, reader: RecordReader): { readonly error: unknown } | undefined {
  const error = stack === "" ? undefined : reader.printedError(stack);
  return error && { error };
}
