import { currentClient } from "../core/current-client.ts";
import type { Level } from "../core/level.ts";
import type { LogRecord, RecordReader } from "../core/log-record.ts";
import { asText, readProperty } from "../runtime/read-property.ts";
import { likeOriginal } from "./like-original.ts";

/** The methods of a Nest logger, and their levels. */
const methods: Readonly<Record<string, Level>> = {
  verbose: "debug",
  debug: "debug",
  log: "info",
  warn: "warning",
  error: "error",
  fatal: "critical",
};

/**
 * Records what Nest and the program log, failures as events and everything else as breadcrumbs:
 * `NestFactory.create(AppModule, { logger: whenceLogger(new ConsoleLogger()) })`. For a logger that writes directly to
 * the output, like Nest's own. Returns the given logger, whose output doesn't change.
 */
export function whenceLogger<Logger extends object>(logger: Logger): Logger {
  for (const [name, level] of Object.entries(methods)) {
    const log = readProperty(logger, name);
    if (typeof log !== "function") continue;
    const recording = function (this: unknown, ...args: unknown[]): unknown {
      record(logger, name, level, args);
      return Reflect.apply(log, this, args);
    };
    // A frozen logger isn't wrapped, and not recorded.
    Reflect.set(logger, name, likeOriginal(recording, log));
  }
  return logger;
}

function record(logger: object, name: string, level: Level, args: readonly unknown[]): void {
  const client = currentClient();
  client?.guard(() => {
    if (isEnabled(logger, name)) client.capture.log((reader) => toRecord(level, args, reader));
  }, undefined)();
}

function isEnabled(logger: object, name: string): boolean {
  const isLevelEnabled = readProperty(logger, "isLevelEnabled");
  return typeof isLevelEnabled !== "function" || Reflect.apply(isLevelEnabled, logger, [name]) !== false;
}

/** Takes Nest's argument order: the message, objects that go with it, an error's stack, and the context. */
function toRecord(
  level: Level,
  args: readonly unknown[],
  { errorIn, fieldsBeside, isError, printedError, withoutColours }: RecordReader,
): LogRecord {
  const [said, ...rest] = args;
  const given = args.find((one) => isError(one));
  const details = args.find((one) => typeof one === "object" && !isError(one));
  const found = errorIn(details);
  const printed = rest.map((one) => printedError(asText(one))).find((one) => one !== undefined);
  const last = rest.at(-1);
  const context = typeof last === "string" && printedError(last) === undefined ? last : undefined;
  const fields = fieldsBeside(details, [details === said ? "message" : "", found?.field ?? ""]);
  return {
    logger: "nestjs",
    level,
    message: typeof said === "string" ? withoutColours(said) : asText(readProperty(said, "message")),
    error: given ?? found?.error ?? printed,
    fields: context === undefined ? fields : { ...fields, context },
  };
}
