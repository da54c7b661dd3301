import { z } from "zod";
import { SourceText } from "../../source/source-text.ts";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";
import { quoted } from "./quoted.ts";

/** The levels of log lines, under this project's names. */
const levelSchema = z.enum(["trace", "debug", "info", "warn", "error", "fatal"]);
export type LogLevel = z.output<typeof levelSchema>;

const recordSchema = quoted
  .extend({
    /** RFC 3339; null without a time, or when its year or zone is missing. */
    at: z.string().nullable(),
    level: levelSchema.nullable(),
    /** What wrote it: a logger, a program, a container. */
    logger: z.string().nullable(),
    message: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).readonly(),
  })
  .readonly();

/** One entry of a log. */
export type LogRecord = z.output<typeof recordSchema>;

export const recordInput = inputKind({
  name: "record",
  means: "An entry of the log",
  data: z.object({ record: recordSchema }),
  example: {
    record: {
      source: new SourceText("error_log", "error log", "connection pool exhausted"),
      printed: { start: 0, end: 25 },
      at: "2026-03-01T10:00:00.000Z",
      level: "error",
      logger: null,
      message: "connection pool exhausted",
      fields: {},
    },
  },
  evidence: ({ record }) => recordText(record),
});

/** Returns a log line with its level. */
export function recordText({ message, level }: Pick<LogRecord, "message" | "level">): string {
  const [line = ""] = message.split("\n", 1);
  return level === null ? inlineCode(line) : `${level}: ${inlineCode(line)}`;
}
