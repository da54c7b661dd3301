import { z } from "zod";
import { parseBoundedJson } from "../http/bounded-json.ts";

/** The content of a log line. The level is in lowercase; null when the line names none. */
export interface LineText {
  readonly level: string | null;
  readonly message: string;
}

/** Only the start of a line shows what it is about; the rest may quote anything. */
const prefixLengthMax = 120;
const levelWord = /\b(fatal|panic|crit(?:ical)?|emerg(?:ency)?|err(?:or)?|warn(?:ing)?|notice|info|debug|trace)\b/i;
/** https://getpino.io/#/docs/api?id=loggerlevels-object, which Bunyan shares. */
const numberedLevels: Readonly<Record<string, string>> = {
  "60": "fatal",
  "50": "error",
  "40": "warn",
  "30": "info",
  "20": "debug",
  "10": "trace",
};

const text = z.string().min(1).optional().catch(undefined);
const errorSchema = z
  .union([z.string().min(1), z.object({ message: z.string().min(1) }).transform(({ message }) => message)])
  .optional()
  .catch(undefined);
const levelSchema = z
  .union([z.string().min(1), z.number().transform((number) => numberedLevels[number])])
  .optional()
  .catch(undefined);

/** The field names of structured loggers: pino, winston, slog, zap, logrus, log4j, ECS, OpenTelemetry. */
const structuredSchema = z.object({
  level: levelSchema,
  severity: levelSchema,
  "log.level": levelSchema,
  severity_text: levelSchema,
  message: text,
  msg: text,
  log: text,
  body: text,
  event: text,
  error: errorSchema,
  err: errorSchema,
  exception: errorSchema,
  "error.message": text,
});

/**
 * Reads JSON and logfmt or, from other text, the level that it begins with. An error's own text is added to its
 * message.
 */
export function readLine(line: string): LineText {
  return readJson(line) ?? readLogfmt(line) ?? { level: levelIn(line), message: line.trim() };
}

/** Returns the message with the error's own text, unless it is already in it. */
export function withErrorText(message: string | null | undefined, error: string | null | undefined): string {
  if (!message || !error) return message || error || "";
  return message.includes(error) ? message : `${message}: ${error}`;
}

function readJson(line: string): LineText | null {
  const parsed = structuredSchema.safeParse(objectIn(line));
  if (!parsed.success) return null;
  const { data } = parsed;
  const level = data.level ?? data.severity ?? data["log.level"] ?? data.severity_text;
  const message = withErrorText(
    data.message ?? data.msg ?? data.log ?? data.body ?? data.event,
    data["error.message"] ?? data.error ?? data.err ?? data.exception,
  );
  return { level: level?.toLowerCase() ?? null, message: message === "" ? line.trim() : message };
}

function objectIn(line: string): unknown {
  return line.trimStart().startsWith("{") ? parseBoundedJson(line) : undefined;
}

/** https://brandur.org/logfmt */
function readLogfmt(line: string): LineText | null {
  const pairs = line.matchAll(/(?:^|\s)([a-z_.]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/gi);
  const fields = new Map([...pairs].map(([, name = "", quoted, plain]) => [name, quoted ?? plain ?? ""]));
  const said = fields.get("msg") ?? fields.get("message");
  if (said === undefined) return null;
  const level = fields.get("level") ?? fields.get("lvl");
  const message = withErrorText(said, fields.get("err") ?? fields.get("error"));
  return { level: level?.toLowerCase() ?? null, message };
}

function levelIn(line: string): string | null {
  return levelWord.exec(line.slice(0, prefixLengthMax))?.[1]?.toLowerCase() ?? null;
}
