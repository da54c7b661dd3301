import { levelOfNumber } from "@whence/protocol/level";
import { currentClient } from "../core/current-client.ts";
import type { LogRecord, RecordReader } from "../core/log-record.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { levelOfName } from "./level-of-name.ts";

/**
 * Returns a stream for `pino.multistream`, for versions of pino that don't publish their records on a channel (before
 * 9.10). With newer versions it does nothing, so it can stay in place. Never throws, and writes no output.
 */
export function whencePinoStream(): { write(line: string): void } {
  return {
    write(line) {
      const client = currentClient();
      client?.guard(() => {
        if (!client.pinoPublishes) client.capture.log((reader) => toRecord(JSON.parse(line), reader));
      }, undefined)();
    },
  };
}

function toRecord(parsed: unknown, { errorIn, fieldsBeside }: RecordReader): LogRecord {
  const level = readProperty(parsed, "level");
  const found = errorIn(parsed);
  const messageKey = readProperty(parsed, "msg") === undefined ? "message" : "msg";
  return {
    logger: "pino",
    level: typeof level === "number" ? levelOfNumber(level) : levelOfName(asText(level)),
    message: asText(readProperty(parsed, messageKey)) || asText(readProperty(found?.error, "message")),
    error: found?.error,
    fields: fieldsBeside(parsed, ["level", "time", "pid", "hostname", messageKey, "v", found?.field ?? ""]),
  };
}
