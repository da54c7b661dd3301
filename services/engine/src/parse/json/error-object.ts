import { tableOf } from "../../source/languages/languages.ts";
import { splitCollapsed } from "../collapsed-lines.ts";
import { attach, type Draft, newDraft } from "../draft.ts";
import { readFormats } from "../formats.ts";
import { isAtStart, parseHeader } from "../header.ts";
import { markInValue } from "../log-context.ts";
import type { ReadableLine } from "../readable-line.ts";
import { errorNames, isSentByClient } from "../value-names.ts";
import { fieldOf, itemsOf, objectOf, objectsOf, scalarsOf, stringOf } from "./fields.ts";
import { framesOf } from "./frame-objects.ts";
import type { JsonNode, JsonObject, JsonString } from "./json-reader.ts";
import type { LineText } from "./line-text.ts";

/**
 * The keys that serializers use for the parts of an error: pino, bunyan, winston, ECS, OpenTelemetry, Serilog, log4j,
 * structlog, Monolog, Lambda, Sentry.
 */
const typeNames = [
  "type",
  "name",
  "class",
  "className",
  "ClassName",
  "errorType",
  "exc_type",
  "kind",
  "Type",
  "error.type",
  "exception.type",
  "error.kind",
  "code",
];
const messageNames = [
  "message",
  "msg",
  "errorMessage",
  "exc_value",
  "value",
  "Message",
  "error.message",
  "exception.message",
  "description",
  "reason",
];
const stackNames = [
  "stack",
  "stack_trace",
  "stackTrace",
  "stacktrace",
  "StackTrace",
  "StackTraceString",
  "traceback",
  "trace",
  "backtrace",
  "errorVerbose",
  "extendedStackTrace",
  "exc_info",
  "frames",
  "@x",
  "Exception",
  "exception.stacktrace",
  "error.stack_trace",
  "error.stack",
  "exception.stack_trace",
  "error.stacktrace",
];
const causeNames = [
  "cause",
  "Cause",
  "InnerException",
  "innerException",
  "inner",
  "previous",
  "causedBy",
  "caused_by",
  "__cause__",
];
const memberNames = ["errors", "aggregateErrors", "InnerExceptions", "innerExceptions", "exceptions"];
const described = new Set(
  [
    ...typeNames,
    ...messageNames,
    ...stackNames,
    "level",
    "time",
    "timestamp",
    "pid",
    "hostname",
    "@timestamp",
    "severity",
    ..."@t @l @m @mt @version ts log.level logger_name thread_name level_value ecs.version caller error err syntax_error is_cause service.name".split(
      " ",
    ),
  ].filter((name) => name !== "code" && name !== "reason"),
);

const depthMax = 8;
/** How many objects of one record are searched. */
const objectsMax = 400;

interface Waiting {
  readonly node: JsonNode;
  readonly name: string;
  readonly depth: number;
  /** Whether it is part of what a client sent. */
  readonly isSent: boolean;
}

/** Returns the errors in a record, each head followed by its chain. */
export function readErrors(root: JsonObject, text: LineText): Draft[] {
  const waiting: Waiting[] = [{ node: root, name: "", depth: 0, isSent: false }];
  const found: Draft[] = [];
  for (let looked = 0; waiting.length > 0 && looked < objectsMax; looked++) {
    const next = waiting.shift();
    if (!next || next.depth > depthMax) continue;
    const read = readNode(next.node, next.name, text);
    if (next.isSent) for (const draft of read) markInValue(draft);
    found.push(...read);
    if (read.length > 0) continue;
    for (const [name, node] of entriesOf(next.node, next.name)) {
      const isSent = next.isSent || isSentByClient(name);
      if (node.kind !== "plain") waiting.push({ node, name, depth: next.depth + 1, isSent });
    }
  }
  return found;
}

function entriesOf(node: JsonNode, name: string): Iterable<[string, JsonNode]> {
  if (node.kind === "object") return node.entries;
  return itemsOf(node)
    .slice(0, objectsMax)
    .map((item): [string, JsonNode] => [name, item]);
}

function readNode(node: JsonNode, name: string, text: LineText): Draft[] {
  const values = node.kind === "object" && name === "exception" ? objectsOf(fieldOf(node, ["values"])) : [];
  // Sentry lists the innermost first.
  if (values.length > 0) return joinChain(values.toReversed(), text);
  if (node.kind === "object" && isError(node, name)) return readError(node, text, 0);
  if (node.kind === "array" && errorNames.has(name)) return readList(node.items, text);
  if (node.kind === "string" && errorNames.has(name)) return readText(node, text);
  return [];
}

function isError(object: JsonObject, name: string): boolean {
  if (object.entries.has("errorType") && object.entries.has("errorMessage")) return true;
  const stack = fieldOf(object, stackNames);
  if (stack?.kind === "string" && stack.value.includes("\n")) return true;
  if (stack?.kind === "array" && stack.items.length > 0) return true;
  const isNamed = errorNames.has(name) && stringOf(object, messageNames) !== null;
  return isNamed || (stack?.kind === "object" && stringOf(object, typeNames) !== null);
}

function readError(object: JsonObject, text: LineText, depth: number): Draft[] {
  const drafts = readStack(object, text);
  const head = drafts.find(({ parent }) => parent === null) ?? fromParts(object, text);
  name(head, object, text);
  const message = stringOf(object, messageNames);
  if (message && isWithin(message, fieldOf(object, stackNames))) head.message = message.value.slice(0, 8_000);
  Object.assign(head.properties, { ...scalarsOf(object, described), ...head.properties });
  const all = drafts.length > 0 ? drafts : [head];
  // A stack that prints its causes already includes them.
  return drafts.length > 1 || depth >= depthMax ? all : [...all, ...readRelated(object, head, text, depth)];
}

function readRelated(object: JsonObject, head: Draft, text: LineText, depth: number): Draft[] {
  const cause = objectOf(object, causeNames);
  const related = cause ? join(readError(cause, text, depth + 1), head, "cause") : [];
  const members = objectsOf(fieldOf(object, memberNames)).slice(0, 20);
  return [...related, ...members.flatMap((member) => join(readError(member, text, depth + 1), head, "aggregated"))];
}

function join(drafts: Draft[], parent: Draft, relation: "cause" | "aggregated"): Draft[] {
  for (const draft of drafts) if (draft.parent === null) attach(draft, parent, relation);
  return drafts;
}

/** Joins an error and its causes, which structlog and Sentry list side by side, with the outermost first. */
function joinChain(objects: readonly JsonObject[], text: LineText): Draft[] {
  const drafts: Draft[] = [];
  let parent: Draft | null = null;
  for (const object of objects.slice(0, 20)) {
    const read: Draft[] = readError(object, text, 1);
    if (parent) join(read, parent, "cause");
    parent = read[0] ?? parent;
    drafts.push(...read);
  }
  return drafts;
}

function readList(items: readonly JsonNode[], text: LineText): Draft[] {
  const objects = items.filter((item) => item.kind === "object");
  if (objects.length > 0 && objects.every((object) => isError(object, "error"))) return joinChain(objects, text);
  const [type, message] = items;
  // Rails logs a class and a message.
  const isPair =
    items.length === 2 &&
    type?.kind === "string" &&
    message?.kind === "string" &&
    /^[A-Z][\w:]{1,200}$/.test(type.value);
  return isPair ? [newDraft(type.value, message.value, text.spanOf({ start: type.start, end: message.end }))] : [];
}

/** Reads a text under an error's key: a stack, or a name and a message. */
function readText(node: JsonString, text: LineText): Draft[] {
  if (node.value.trim() === "") return [];
  const lines = text.linesOf(node).flatMap(splitCollapsed);
  const drafts = readFormats(lines).drafts;
  if (drafts.length > 0) return drafts;
  const header = parseHeader(node.value.split("\n", 1)[0] ?? "");
  const isNamed = header && isAtStart(node.value, header);
  return [
    newDraft(isNamed ? header.type : "Error", isNamed ? header.message : node.value.slice(0, 8_000), text.spanOf(node)),
  ];
}

function readStack(object: JsonObject, text: LineText): Draft[] {
  const stack = fieldOf(object, stackNames);
  if (stack?.kind === "string") return readFormats(stackLines(object, stack, text).flatMap(splitCollapsed)).drafts;
  const lines = itemsOf(stack)
    .flatMap((item) => (item.kind === "string" ? text.linesOf(item) : []))
    .filter((line) => line.text !== "");
  if (lines.length > 0) return readLines(lines);
  const frames = framesOf(stack, text);
  if (frames.length === 0 || !stack) return [];
  return [newDraft("Error", "", text.spanOf(object), { frames, language: frames[0]?.language ?? null })];
}

/** Returns the lines of a stack, without the further lines of its message, which are text whatever they look like. */
function stackLines(object: JsonObject, stack: JsonString, text: LineText): readonly ReadableLine[] {
  const lines = text.linesOf(stack);
  const message = stringOf(object, messageNames);
  if (!message || !isWithin(message, stack)) return lines;
  const before = stack.value.slice(0, stack.value.indexOf(message.value));
  const first = before.split("\n").length;
  const more = message.value.split("\n").length - 1;
  return lines.filter((_, index) => index < first || index >= first + more);
}

/** Returns whether a stack repeats a multiline message. */
function isWithin({ value }: JsonString, stack: JsonNode | null): boolean {
  return value.includes("\n") && stack?.kind === "string" && stack.value.includes(value);
}

/** Monolog lists only places; Lambda's lists contain lines in the runtime's own format. */
function readLines(lines: readonly ReadableLine[]): Draft[] {
  return [...readFormats(lines).drafts];
}

function fromParts(object: JsonObject, text: LineText): Draft {
  return newDraft("Error", "", text.spanOf(object));
}

/** Fills in the name and message from the object where the stack has none. */
function name(head: Draft, object: JsonObject, text: LineText): void {
  const type = stringOf(object, typeNames);
  // zap writes the error next to the message of the record.
  const message = stringOf(object, ["error", "err", ...messageNames]);
  const isNameless = head.message === "" || (tableOf(head.language).hidesType === true && message !== null);
  if (!isNameless) return;
  const header = message ? parseHeader(message.value.split("\n", 1)[0] ?? "") : null;
  const isNamed = header !== null && message !== null && isAtStart(message.value, header);
  if (type && /^[\w.\\:$<>`]{2,200}$/.test(type.value) && type.value !== "error") head.type = type.value;
  else if (isNamed) head.type = header.type;
  if (message) head.message = isNamed && head.type === header.type ? header.message : message.value.slice(0, 8_000);
  if (head.frames.length === 0 && message) head.printed = text.spanOf(object);
}
