import { isFailure, levelOfNumber } from "@whence/protocol/level";
import { limits } from "@whence/protocol/limits";
import { errorIn, type LogRecord } from "../core/log-record.ts";
import { fromJson } from "../runtime/json.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/** Fields that every line has. */
const known = new Set(["level", "time", "pid", "hostname", "msg", "v"]);

/**
 * Records logs of pino 9.10 and newer, which publishes each line on a tracing channel. The fields are read from the
 * line, so that whatever the program's `redact` and serializers removed stays removed; the error is the original
 * object.
 */
export const pinoLogs: Instrumentation = {
  name: "pino",
  start(recorder) {
    const observe = recorder.guard((message: object) => {
      recorder.pinoPublishes = true;
      recorder.capture.log(() =>
        toRecord(Array.from(Reflect.get(message, "arguments")), asText(Reflect.get(message, "result"))),
      );
    }, undefined);
    return listen("tracing:pino_asJson:end", observe);
  },
};

/** Converts pino's input for a line: an object, a message, and the level's number. */
function toRecord([object, message, number]: readonly unknown[], line: string): LogRecord {
  const level = levelOfNumber(Number(number));
  const found = isFailure(level) ? errorIn(object) : undefined;
  const parsed = parsedLine(line, isFailure(level) ? limits.messageLengthMax : sdkLimits.logLineParsedMax);
  const text = asText(message) || asText(readProperty(found?.error, "message")) || messageOf(parsed);
  return { logger: "pino", level, message: text, error: found?.error, fields: fieldsOf(parsed, text, found?.field) };
}

/** Returns the message under pino's configured name, or under the one that most programs prefer. */
function messageOf(parsed: object): string {
  return asText(readProperty(parsed, "msg")) || asText(readProperty(parsed, "message"));
}

/** Parses a line; a program may configure pino to write something other than JSON. */
function parsedLine(line: string, lengthMax: number): object {
  const parsed = line.length > lengthMax ? undefined : fromJson(line);
  return typeof parsed === "object" && parsed !== null ? parsed : {};
}

/**
 * Returns the line's fields without its message, whatever the program calls that. Nothing is copied, because the parsed
 * line is ours.
 */
function fieldsOf(
  parsed: object,
  message: string,
  errorField: string | undefined,
): Record<string, unknown> | undefined {
  let fields: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(parsed)) {
    if (known.has(name) || name === errorField || value === message) continue;
    // Without a prototype, a key named __proto__ is a key like any other.
    fields ??= Object.create(null) as Record<string, unknown>;
    fields[name] = value;
  }
  return fields;
}
