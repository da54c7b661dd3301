import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";
import { quoted } from "./quoted.ts";

/** How severe a log line says it is, under the names of this project. */
const levelSchema = z.enum(["trace", "debug", "info", "warn", "error", "fatal"]);
export type LogLevel = z.output<typeof levelSchema>;

const recordSchema = quoted
  .extend({
    /** RFC 3339; null when it was not said, or not in which year or zone. */
    at: z.string().nullable(),
    level: levelSchema.nullable(),
    /** Who wrote it: a logger, a program, a container. */
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
  evidence: ({ record }) => recordText(record),
});

/** A log line, with how severe it says it is. */
export function recordText({ message, level }: Pick<LogRecord, "message" | "level">): string {
  const [line = ""] = message.split("\n", 1);
  return level === null ? inlineCode(line) : `${level}: ${inlineCode(line)}`;
}
