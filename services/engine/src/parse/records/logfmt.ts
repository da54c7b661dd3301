import type { Scalar } from "../../findings/parsed-error.ts";
import { levelOf } from "./level.ts";
import { type LineRecord, lineRecord, type RecordFormat } from "./line-record.ts";
import { readTime } from "./time.ts";

/** Fewer pairs than this are a sentence with an equals sign, unless they have a level and a message. */
const pairsMin = 3;
const pairsMax = 60;
const valueUnitsMax = 4_000;
const pair = /([\w.@/-]{1,80})=(?:"((?:[^"\\]|\\.){0,8000})"|([^\s"]{0,8000}))(?:\s|$)\s{0,8}/y;

/** `level=error msg="connect failed" err="dial tcp 10.0.0.5:5432: connect: connection refused"`. */
export const logfmtFormat: RecordFormat = {
  name: "logfmt",
  read(text) {
    const first = text.indexOf("=");
    // Some loggers write a time or a level before the pairs.
    const start = first < 1 ? -1 : text.lastIndexOf(" ", first) + 1;
    if (start < 0 || start > 60) return null;
    const fields = readPairs(text, start);
    return fields && toRecord(fields, text);
  },
};

function readPairs(text: string, start: number): Record<string, Scalar> | null {
  const fields: Record<string, Scalar> = {};
  let count = 0;
  pair.lastIndex = start;
  for (let found = pair.exec(text); found && count < pairsMax; found = pair.exec(text)) {
    const value =
      found[2] === undefined ? (found[3] ?? "") : found[2].replace(/\\(["\\])/g, "$1").replaceAll("\\n", "\n");
    if (found[1] && found[1] !== "__proto__") fields[found[1]] = value.slice(0, valueUnitsMax);
    count++;
  }
  return count >= pairsMin || ("level" in fields && "msg" in fields) ? fields : null;
}

function toRecord(fields: Readonly<Record<string, Scalar>>, text: string): LineRecord | null {
  const {
    level,
    lvl,
    severity,
    at,
    msg,
    message,
    desc,
    error,
    err,
    time,
    ts,
    timestamp,
    t,
    logger,
    component,
    caller,
    service,
    ...rest
  } = fields;
  // Heroku's router writes `at=error code=H12 desc="Request timeout"`.
  const routed = levelOf(at);
  const said = msg ?? message ?? (routed === null ? undefined : desc) ?? error ?? err;
  const level_ = levelOf(level ?? lvl ?? severity) ?? routed;
  if (said === undefined && level_ === null) return null;
  const wrong = error ?? err;
  const own = wrong !== undefined && wrong !== said ? { ...rest, error: wrong } : rest;
  const also = routed === null ? { ...(at !== undefined && { at }), ...(desc !== undefined && { desc }) } : {};
  return lineRecord(String(said ?? text.slice(0, valueUnitsMax)), {
    at: readTime(time ?? ts ?? timestamp ?? t),
    level: level_,
    logger: [logger, component, service, caller].find((name) => typeof name === "string")?.toString() ?? null,
    fields: { ...own, ...also },
  });
}
