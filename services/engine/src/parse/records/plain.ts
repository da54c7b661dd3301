import { namesFailure } from "../header.ts";
import { levelOf } from "./level.ts";
import { type LineRecord, lineRecord, type RecordFormat } from "./line-record.ts";
import { readTime } from "./time.ts";

const date = "\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?";
const levelWord =
  "TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|CRIT|FATAL|ALERT|EMERG|PANIC|trace|debug|info|notice|warn|warning|error|critical|crit|fatal|emerg|panic|Error|Warning|Info|Debug|Fatal|Critical|DBG|INF|WRN|ERR|FTL|dbug|fail";

/** A time, a level, and what comes between them and the message: threads, loggers, process IDs. */
const timed = new RegExp(`^\\[?(?<time>${date})\\]?[ \\t]{1,4}(?<rest>.*)$`);
const leveled = new RegExp(
  `^(?:\\[[^\\]]{1,80}\\] ?|\\d{1,10}[: -]{1,3}){0,3}(?:[\\[<(]|\\| )?(?<level>${levelWord})(?: {0,8}[\\])>]|(?<=\\| \\w{3,12}) {0,8}\\|)?(?:[:,]| -|(?=[\\s[(]))[ \\t]{0,8}(?<rest>.*)$`,
);
/** `[main] c.s.orders.Prices - `, `--- [nio-8080-exec-1] c.s.Prices : `, `[orders] `, `(worker): `, `app.db:41 - `, loguru's `app:<module>:6 - `. */
const writer =
  /^(?:\d{1,10} --- )?(?:\[[^\]]{0,80}\] ?){0,3}(?<logger>[\w$.:/[\]<>-]{2,120}) {0,40}(?:(?<= )- | : |: )(?<message>.*)$/;
/** `[orders.api] message`. */
const bracketed = /^\[(?<logger>[A-Za-z][\w.:/-]{1,80})\] (?<message>.*)$/;
/** Python's `ERROR:root:message`, and Ruby's `E, [2026-01-01T10:00:00.1 #17] ERROR -- app: message`. */
const python = /^(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?<logger>[\w.]{1,120}):(?<message>.*)$/;
const ruby =
  /^[DIWEFA], \[(?<time>[^ \]]{10,32}) ?#\d{1,10}\] {1,2}(?<level>[A-Z]{3,8}) -- (?<logger>[^:]{0,80}): (?<message>.*)$/;
const klog =
  /^(?<level>[IWEF])(?<time>\d{4} \d\d:\d\d:\d\d\.\d{1,9}) {1,8}\d{1,10} (?<logger>[\w.-]{1,80}:\d{1,7})\] (?<message>.*)$/;
const klogLevels: Readonly<Record<string, string>> = { I: "info", W: "warn", E: "error", F: "fatal" };

/**
 * Lines that begin with a time or a level: log4j, logback, Python, Ruby, Go, Rust, klog, winston, and most hand-written
 * formats.
 */
export const plainFormat: RecordFormat = {
  name: "text with time and level",
  read(text) {
    return readNamed(python.exec(text) ?? ruby.exec(text)) ?? readKlog(text) ?? readHead(text);
  },
};

function readNamed(found: RegExpExecArray | null): LineRecord | null {
  const groups = found?.groups;
  if (!groups) return null;
  const logger = groups.logger === "" ? null : (groups.logger ?? null);
  return lineRecord(groups.message ?? "", { at: readTime(groups.time), level: levelOf(groups.level), logger });
}

/** klog prints no year. */
function readKlog(text: string): LineRecord | null {
  const groups = klog.exec(text)?.groups;
  if (!groups) return null;
  return lineRecord(groups.message ?? "", {
    level: levelOf(klogLevels[groups.level ?? ""]),
    logger: groups.logger ?? null,
  });
}

function readHead(text: string): LineRecord | null {
  const time = timed.exec(text)?.groups;
  const afterTime = time ? (time.rest ?? "") : text;
  const level = leveled.exec(afterTime)?.groups;
  if (!time && (!level || !isMarked(level.level ?? "", afterTime))) return null;
  const said = level ? (level.rest ?? "") : afterTime;
  const by = (writer.exec(said.slice(0, 600)) ?? bracketed.exec(said.slice(0, 600)))?.groups;
  const isNamed = by?.logger !== undefined && !namesFailure.test(by.logger);
  const message = isNamed ? said.slice(said.length - lengthAfter(said, by.message ?? "")) : said;
  return lineRecord(message, {
    at: readTime(time?.time?.replaceAll("/", "-").replace(",", ".")),
    level: levelOf(level?.level),
    logger: isNamed ? (by.logger ?? null) : null,
  });
}

/** Without a time before it, `error` is a word, but `ERROR`, `[error]`, and `error:` are levels. */
function isMarked(level: string, text: string): boolean {
  const after = text[text.indexOf(level) + level.length] ?? "";
  return level === level.toUpperCase() || ":])>".includes(after);
}

/** The writer is searched for only at the start; the message runs to the end. */
function lengthAfter(said: string, message: string): number {
  return message.length + Math.max(said.length - 600, 0);
}
