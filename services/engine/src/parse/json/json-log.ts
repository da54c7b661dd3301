import { noLogContext } from "../../findings/log-context.ts";
import type { Scalar } from "../../findings/parsed-error.ts";
import type { LogRecord } from "../../signals/inputs/record.ts";
import { isUnnamed } from "../../words/thrown.ts";
import { type ReadAlert, readJsonAlerts } from "../alerts/json-alerts.ts";
import { type Draft, newDraft } from "../draft.ts";
import { errorWithoutCalls } from "../formats/ruby-header.ts";
import { readFormats } from "../formats.ts";
import { isAtStart, parseHeader, parseNamedFailure } from "../header.ts";
import { markInValue } from "../log-context.ts";
import type { ReadableLine } from "../readable-line.ts";
import { levelOf, severityOf } from "../records/level.ts";
import { readTime } from "../records/time.ts";
import { readErrors } from "./error-object.ts";
import { fieldOf, itemsOf, objectOf, objectsOf, scalarOf, scalarsOf, stringOf, textOf } from "./fields.ts";
import type { JsonNode, JsonObject } from "./json-reader.ts";
import type { LineText } from "./line-text.ts";

/** What an object of a log contains. */
export interface JsonReading {
  readonly drafts: readonly Draft[];
  readonly records: readonly Omit<LogRecord, "source">[];
  readonly alerts: readonly ReadAlert[];
  /**
   * Lines of another program's log that the object only wraps; to be read as text, together with the lines wrapped
   * before and after.
   */
  readonly wrapped: readonly ReadableLine[];
  /** The objects it lists, each read on its own. */
  readonly elements: readonly JsonObject[];
}

/** The keys that loggers use for the message: pino, bunyan, winston, zap, logback, ECS, Serilog, GCP, structlog. */
const messageNames = [
  "msg",
  "message",
  "event",
  "@m",
  "@mt",
  "Message",
  "MessageTemplate",
  "RenderedMessage",
  "textPayload",
  "jsonPayload.message",
  "jsonPayload.msg",
  "body",
  "log",
  "short_message",
  "MESSAGE",
  "eventMessage",
];
const levelNames = [
  "level",
  "severity",
  "Level",
  "log.level",
  "@l",
  "lvl",
  "levelname",
  "LogLevel",
  "severity_text",
  "severityText",
  "jsonPayload.level",
  "PRIORITY",
  "level_name",
  "loglevel",
  "sev",
];
const timeNames = [
  "time",
  "@timestamp",
  "timestamp",
  "ts",
  "Timestamp",
  "@t",
  "asctime",
  "eventTime",
  "datetime",
  "date",
  "__REALTIME_TIMESTAMP",
  "lastTimestamp",
  "timeMillis",
];
const loggerNames = [
  "logger",
  "name",
  "logger_name",
  "log.logger",
  "loggerName",
  "SourceContext",
  "Properties.SourceContext",
  "component",
  "service",
  "service.name",
  "channel",
  "app",
  "SYSLOG_IDENTIFIER",
  "Category",
  "caller",
];
/** The keys of record lists: CloudWatch, Lambda's batches, Elasticsearch, Kubernetes, Loki. */
const listNames = [
  "logEvents",
  "events",
  "entries",
  "Records",
  "items",
  "hits.hits",
  "hits",
  "alerts",
  "results",
  "logs",
  "records",
];
/** The keys under which one line is wrapped: Docker's json-file, GCP, CloudWatch, journald, SNS, Fluent Bit, `go test -json`. */
const wrapperNames = [
  "log",
  "textPayload",
  "MESSAGE",
  "Message",
  "message",
  "msg",
  "line",
  "@message",
  "_raw",
  "Output",
];
const described = new Set([
  ...messageNames,
  ...levelNames,
  ...timeNames,
  ...loggerNames,
  "stack",
  "stack_trace",
  "pid",
  "hostname",
  "v",
  ..."@x @version exception exc_info stacktrace err error.stack_trace error.message error.type ecs.version level_value thread_name".split(
    " ",
  ),
]);

/** Reads one object of a log. */
export function readJsonLog(root: JsonObject, text: LineText): JsonReading {
  const alerts = readJsonAlerts(root);
  const elements = alerts.length > 0 ? [] : elementsOf(root);
  if (elements.length > 0) return { ...empty, elements };
  const wrapped = wrappedLines(root, text);
  const unnamed = unnamedError(wrapped);
  if (wrapped.length > 0 && !unnamed) return { ...empty, alerts, wrapped };
  const drafts = unnamed ? [unnamed] : readErrors(root, text);
  const record = recordOf(root, text);
  const level = record?.level ?? null;
  for (const draft of drafts) {
    draft.level ??= level;
    draft.logContext = { ...draft.logContext, logged: true, at: record?.at ?? null };
  }
  const isUntold =
    drafts.length === 0 && alerts.length === 0 && record !== null && (level === "error" || level === "fatal");
  return {
    ...empty,
    alerts,
    records: record && !unnamed ? [record] : [],
    drafts: isUntold ? [toError(record, root)] : drafts,
  };
}

const empty: JsonReading = { drafts: [], records: [], alerts: [], wrapped: [], elements: [] };

/** Turns a sentence that was logged as an error into an error. */
export function toError(record: Omit<LogRecord, "source">, root: JsonObject | null = null): Draft {
  const [first = ""] = record.message.split("\n", 1);
  const ruby = errorWithoutCalls(first);
  const known = ruby ? { ...ruby, code: null, start: 0 } : parseHeader(first);
  const header = known ?? parseNamedFailure(first);
  const isNamed = header !== null && (isAtStart(record.message, header) || header.message !== "");
  const type = root === null ? null : textOf(root, ["type"]);
  const properties: Record<string, Scalar> = root ? scalarsOf(root, described) : { ...record.fields };
  if (header?.code) properties.code ??= header.code;
  const named = isNamed ? header.type : (type ?? "Error");
  const message = isNamed && header.message !== "" ? header.message : record.message;
  const logContext = { ...noLogContext, logged: true, at: record.at };
  return newDraft(named, message, record.printed, { properties, level: record.level, logContext });
}

function recordOf(root: JsonObject, text: LineText): Omit<LogRecord, "source"> | null {
  if (root.entries.has("kind") && root.entries.has("involvedObject")) return kubernetesEvent(root, text);
  const message = stringOf(root, messageNames) ?? stringOf(root, ["error", "errorMessage", "err"]);
  const level = levelOf(scalarOf(root, levelNames));
  if (!message || (level === null && fieldOf(root, timeNames) === null)) return null;
  return {
    at: readTime(scalarOf(root, timeNames)),
    level,
    logger: textOf(root, loggerNames),
    message: message.value.slice(0, 8_000),
    fields: scalarsOf(root, described),
    printed: text.spanOf(root),
  };
}

function kubernetesEvent(root: JsonObject, text: LineText): Omit<LogRecord, "source"> {
  const object = objectOf(root, ["involvedObject"]);
  const reason = textOf(root, ["reason"]) ?? "";
  const fields: Record<string, Scalar> = { reason, count: scalarOf(root, ["count"]) };
  if (object) fields.object = `${textOf(object, ["kind"]) ?? ""}/${textOf(object, ["name"]) ?? ""}`.toLowerCase();
  return {
    at: readTime(textOf(root, ["lastTimestamp", "eventTime", "firstTimestamp"])),
    level: textOf(root, ["type"]) === "Warning" ? "error" : "info",
    logger: textOf(root, ["source.component", "reportingComponent"]),
    message: `${reason}: ${textOf(root, ["message"]) ?? ""}`,
    fields,
    printed: text.spanOf(root),
  };
}

function elementsOf(root: JsonObject): readonly JsonObject[] {
  for (const name of listNames) {
    const found = objectsOf(fieldOf(root, [name]));
    // An error may list its members under the same key.
    if (found.length > 0 && stringOf(root, ["stack", "message", "msg"]) === null) return found;
  }
  const inner = objectOf(root, ["_source", "Sns", "dynamodb"]);
  return inner ? [inner] : [];
}

/** A call on a line of its own, in any language. */
const call =
  /^(?:[^\S\r\n]+(?:at |File "|from )|\t|\S{1,400}\.rb:\d{1,7}:in |[\w$./-]{1,400}\([\w$]{1,80}\.(?:java|kt|scala|groovy):\d)/m;

function hasStackBelow(text: string): boolean {
  const first = text.indexOf("\n");
  return text.includes("Traceback (most") || (first >= 0 && call.test(text.slice(first + 1)));
}

/** Returns the lines of a message that is a log of its own: JSON again, or a line that a shipper wrapped. */
function wrappedLines(root: JsonObject, text: LineText): readonly ReadableLine[] {
  const hasError = fieldOf(root, ["exception", "err", "error", "stack", "stack_trace"]) !== null;
  for (const name of wrapperNames) {
    const node: JsonNode | undefined = root.entries.get(name);
    if (node?.kind !== "string" || (node.value.trim() === "" && name !== "Output")) continue;
    const isLog = !hasError && /^\s*(?:\{|\[\s*\{)/.test(node.value) && /[}\]]\s*$/.test(node.value);
    const isShipped = !hasError && isShipper(root, name);
    const isStack = hasStackBelow(node.value) && stringOf(root, ["stack", "stack_trace", "exception"]) === null;
    if (!isLog && !isShipped && !isStack) continue;
    const lines = text.linesOf(node).filter((line, index, all) => line.text !== "" || index < all.length - 1);
    return isShipped || !isInformation(root) ? lines : lines.map((line) => ({ ...line, inValue: true }));
  }
  return [];
}

/** Returns an error whose class is missing, with the text above its calls: a record holds nothing else. */
function unnamedError(lines: readonly ReadableLine[]): Draft | null {
  const first = lines.findIndex(({ text }) => call.test(text));
  const message = lines.slice(0, Math.max(first, 0)).map(({ text }) => text.trim());
  if (!message.some((line) => line !== "") || lines.some(namesError)) return null;
  const [draft, ...others] = readFormats(lines).drafts;
  if (!draft || others.length > 0 || draft.frames.length === 0 || !isUnnamed(draft)) return null;
  Object.assign(draft, { type: "Error", message: message.join("\n").trim().slice(0, 8_000) });
  if (lines.some(({ inValue }) => inValue)) markInValue(draft);
  return draft;
}

function namesError({ text }: ReadableLine): boolean {
  return !call.test(text) && parseHeader(text) !== null;
}

/** Returns whether a program logged it as information: errors quoted in its message are no failures. */
function isInformation(root: JsonObject): boolean {
  const level = levelOf(scalarOf(root, levelNames));
  return level !== null && severityOf(level) <= severityOf("info");
}

/** Returns whether the object has only the keys that shippers put next to the line. */
function isShipper(root: JsonObject, name: string): boolean {
  const { entries } = root;
  if (name === "log")
    return ["stream", "kubernetes", "container", "container_id", "container_name"].some((key) => entries.has(key));
  if (name === "MESSAGE") return entries.has("__REALTIME_TIMESTAMP") || entries.has("PRIORITY");
  if (name === "textPayload") return true;
  if (name === "@message" || name === "_raw") return true;
  if (name === "Output") return entries.has("Action") && entries.has("Package");
  return (
    name === "message" &&
    [...entries.keys()].every((key) =>
      /^(?:message|timestamp|ingestionTime|eventId|id|logStreamName|@timestamp|stream|tag|host)$/.test(key),
    ) &&
    entries.size > 1
  );
}

/** Returns the objects worth reading as a log: the value itself, or those in its list. */
export function objectsIn(root: JsonNode): readonly JsonObject[] {
  return root.kind === "object" ? [root] : itemsOf(root).filter((item) => item.kind === "object");
}
