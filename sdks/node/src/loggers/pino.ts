import { levelOfNumber } from "@whence/protocol/level";
import { currentClient } from "../current-client.ts";
import { asText, errorIn, fieldsBeside, type LogRecord, readProperty } from "../log-record.ts";
import { levelOfName } from "./level-of-name.ts";

/**
 * A stream for `pino.multistream`, for the pino that tells of its records by no channel (before 9.10). Beside one that
 * does it stays silent, so that it may be left in place. Never throws, and writes nothing.
 */
export function whencePinoStream(): { write(line: string): void } {
  return {
    write(line) {
      const client = currentClient();
      client?.guard(() => {
        if (!client.hearsPino) client.captureLog(() => toRecord(JSON.parse(line)));
      }, undefined)();
    },
  };
}

function toRecord(parsed: unknown): LogRecord {
  const level = readProperty(parsed, "level");
  const found = errorIn(parsed);
  return {
    logger: "pino",
    level: typeof level === "number" ? levelOfNumber(level) : levelOfName(asText(level)),
    message: asText(readProperty(parsed, "msg")) || asText(readProperty(found?.error, "message")),
    error: found?.error,
    fields: fieldsBeside(parsed, ["level", "time", "pid", "hostname", "msg", "v", found?.field ?? ""]),
  };
}
