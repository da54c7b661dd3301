import { levelOfNumber } from "@whence/protocol/level";
import { currentClient } from "../core/current-client.ts";
import type { LogRecord, RecordReader } from "../core/log-record.ts";
import { asText, readProperty } from "../runtime/read-property.ts";

/** One of bunyan's `streams`. */
export interface BunyanStream {
  readonly name: string;
  readonly type: "raw";
  readonly level: "trace";
  readonly stream: NodeJS.WritableStream;
}

const known = ["v", "level", "name", "hostname", "pid", "time", "msg"];

/** Returns an entry for bunyan's `streams`. It never throws, and writes no output. */
export function whenceBunyanStream(): BunyanStream {
  const write = (record: unknown): boolean => {
    const client = currentClient();
    client?.guard(() => client.capture.log((reader) => toRecord(record, reader)), undefined)();
    return true;
  };
  // bunyan uses only the `write` method of a raw stream.
  const stream = { write } as unknown as NodeJS.WritableStream;
  return { name: "whence", type: "raw", level: "trace", stream };
}

function toRecord(record: unknown, { errorIn, fieldsBeside }: RecordReader): LogRecord {
  const found = errorIn(record);
  return {
    logger: "bunyan",
    level: levelOfNumber(Number(readProperty(record, "level"))),
    message: asText(readProperty(record, "msg")),
    error: found?.error,
    fields: fieldsBeside(record, [...known, found?.field ?? ""]),
  };
}
