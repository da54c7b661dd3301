import { isFailure, levelOfNumber } from "@whence/protocol/level";
import { asText, readProperty } from "../bounded-data.ts";
import { errorIn, fieldsBeside, type LogRecord } from "../log-record.ts";
import { sdkLimits } from "../sdk-limits.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/**
 * Records of pino 9.10 and newer, which tells of each line on a tracing channel. The fields are read from the line
 * itself, so that what the program's own `redact` and serializers took out is out; the error is the one that was given.
 */
export const pinoLogs: Instrumentation = {
  name: "pino",
  start(client) {
    const observe = client.guard((message: object) => {
      client.hearsPino = true;
      client.captureLog(() =>
        toRecord(Array.from(Reflect.get(message, "arguments")), asText(Reflect.get(message, "result"))),
      );
    }, undefined);
    return listen("tracing:pino_asJson:end", observe);
  },
};

/** What pino made a line of: an object, a message, and the level's number. */
function toRecord([object, message, number]: readonly unknown[], line: string): LogRecord {
  const level = levelOfNumber(Number(number));
  const found = isFailure(level) ? errorIn(object) : undefined;
  const text = asText(message);
  return {
    logger: "pino",
    level,
    message: text === "" ? asText(readProperty(found?.error, "message")) : text,
    error: found?.error,
    fields: line.length > sdkLimits.logLineParsedMax ? undefined : fieldsOfLine(line, text, found?.field),
  };
}

function fieldsOfLine(line: string, message: string, errorField: string | undefined): object | undefined {
  const beside = fieldsBeside(parseLine(line), ["level", "time", "pid", "hostname", "msg", "v", errorField ?? ""]);
  // Whatever the program calls it: the message is said already.
  return beside && Object.fromEntries(Object.entries(beside).filter(([, value]) => value !== message));
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A program may make pino write something else than JSON.
    return undefined;
  }
}
