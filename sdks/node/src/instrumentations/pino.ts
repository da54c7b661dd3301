import { isFailure, levelOfNumber } from "@whence/protocol/level";
import { limits } from "@whence/protocol/limits";
import { asText, readProperty } from "../bounded-data.ts";
import { errorIn, type LogRecord } from "../log-record.ts";
import { sdkLimits } from "../sdk-limits.ts";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/** Said by every line. */
const known = new Set(["level", "time", "pid", "hostname", "msg", "v"]);

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
    fields: fieldsOfLine(
      line,
      isFailure(level) ? limits.messageLengthMax : sdkLimits.logLineParsedMax,
      text,
      found?.field,
    ),
  };
}

/** What the line says beside its message, by whatever name the program gives that. The line is ours: nothing is copied. */
function fieldsOfLine(
  line: string,
  lengthMax: number,
  message: string,
  errorField: string | undefined,
): Record<string, unknown> | undefined {
  const parsed = line.length > lengthMax ? undefined : parseLine(line);
  if (typeof parsed !== "object" || parsed === null) return undefined;
  let fields: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(parsed)) {
    if (known.has(name) || name === errorField || value === message) continue;
    // Without a prototype a key named __proto__ is a key like any other.
    fields ??= Object.create(null) as Record<string, unknown>;
    fields[name] = value;
  }
  return fields;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A program may make pino write something else than JSON.
    return undefined;
  }
}
