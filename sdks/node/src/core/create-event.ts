import { limits } from "@whence/protocol/limits";
import { detach, trimText } from "../runtime/text.ts";
import { uuidv7 } from "../runtime/uuid.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { boundedRecord } from "./bounded-data.ts";
import { joinTrails, type Trail } from "./breadcrumbs.ts";
import { causeChain, nonErrorType, noStack, preview, stackOf, type Thrown } from "./cause-chain.ts";
import type { Mechanism, WhenceEvent } from "./event.ts";
import type { ScopeFacts } from "./fact-scope.ts";
import type { Level, LevelName } from "./level.ts";
import type { LogRecord } from "./log-record.ts";
import type { Redaction } from "./redact.ts";
import { currentTrace, describeRequest, type RequestContext, ringOf, toWireTrace } from "./request-context.ts";
import { parseStack } from "./stack.ts";

/** Options of a captured error or message. */
export interface CaptureOptions {
  /** @default "error" for an exception, "info" for a message */
  readonly level?: LevelName | undefined;
  /** Facts about this occurrence, such as an order number. JSON values, trimmed to 64 kB. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** What is known when an event is captured. */
export interface Circumstances {
  readonly now: number;
  readonly mechanism: Mechanism;
  readonly level: Level;
  readonly attributes?: unknown;
  /** The request being served. */
  readonly context: RequestContext | undefined;
  /** The facts of its scopes, the outermost first. */
  readonly facts?: readonly ScopeFacts[] | undefined;
  /** Returns what was seen at watched places on the way to it. */
  readonly watched?: WhenceEvent["watched"];
  /** Breadcrumbs recorded outside of any request. */
  readonly processTrail: Trail;
  readonly redaction: Redaction;
}

/** Returns the event of an error or another thrown value; one without a stack gets that of `caller`. */
export function exceptionEvent(error: unknown, circumstances: Circumstances, caller?: object | undefined): WhenceEvent {
  const [first, ...causes] = causeChain(error, circumstances.redaction);
  const thrown = first ? [withStackOf(caller, first), ...causes] : [];
  return complete({ type: "exception", message: first?.message ?? "", thrown }, circumstances);
}

/** Returns the event of a message, with the stack of `caller`. */
export function messageEvent(message: unknown, circumstances: Circumstances, caller?: object | undefined): WhenceEvent {
  const text = preview(message);
  const said = { type: "", message: text, stack: noStack, isPrinted: true, properties: undefined, parent: undefined };
  const first = withStackOf(caller, said);
  const thrown = first === said ? undefined : [first];
  return complete({ type: "log", message: text, thrown }, circumstances);
}

/** Adds the stack of `caller`, which was taken where the program called the client. */
function withStackOf(caller: object | undefined, thrown: Thrown): Thrown {
  const isNeeded = thrown.type === "" || thrown.type === nonErrorType;
  const { calls } = caller && isNeeded ? parseStack(stackOf(caller), "") : noStack;
  return calls.frames.length === 0 ? thrown : { ...thrown, stack: { header: thrown.message, calls } };
}

/** Returns the event of a log record that reports a failure. */
export function logEvent(record: LogRecord, circumstances: Circumstances): WhenceEvent {
  const thrown = record.error === undefined ? undefined : causeChain(record.error, circumstances.redaction);
  const message = record.message === "" ? (thrown?.[0]?.message ?? "") : record.message;
  return complete(
    { type: "log", message: detach(trimText(message, limits.messageLengthMax)), ...(thrown ? { thrown } : {}) },
    circumstances,
  );
}

/** Returns a heartbeat, or the event of an orderly exit, with the process's last breadcrumbs. */
export function lifecycleEvent(
  type: "heartbeat" | "exit",
  attributes: object,
  processTrail: Trail,
  now: number,
  redaction: Redaction,
): WhenceEvent {
  const mechanism = { type, handled: true };
  return complete(
    { type, message: type },
    { now, mechanism, level: "info", attributes, processTrail, redaction, context: undefined },
  );
}

function complete(
  { type, message, thrown }: Pick<WhenceEvent, "type" | "message" | "thrown">,
  { now, mechanism, level, attributes, context, facts, watched, processTrail, redaction }: Circumstances,
): WhenceEvent {
  const own = boundedRecord(context?.attributes, limits.textLengthMax);
  const extra = boundedRecord(attributes, sdkLimits.attributesCharactersMax, redaction.data);
  const trace = currentTrace(context);
  // Each field by name, for the reason given at `numberedEvent`.
  return {
    type,
    message,
    thrown,
    id: uuidv7(now),
    timestamp: now,
    level,
    mechanism,
    trail: context ? joinTrails(processTrail, context.startedAt, ringOf(context).trail()) : processTrail,
    request: context && describeRequest(context, redaction),
    trace: trace && toWireTrace(trace),
    attributes: own ? { ...own.data, ...extra?.data } : extra?.data,
    facts,
    watched,
  };
}
