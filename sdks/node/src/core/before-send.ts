import { isPromise } from "node:util/types";
import type { TelemetryEvent } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { withheldText } from "@whence/protocol/redaction";
import { trimText } from "../runtime/text.ts";
import { isLevel } from "./level.ts";
import type { BeforeSend, OutgoingEvent } from "./outgoing-event.ts";

/** An answer, or a promise of one. */
export type MaybeLater<Answer> = Answer | Promise<Answer>;

/** Whether an event is a heartbeat or an exit, without which the service would consider the process dead. */
export function isLifecycleEvent({ type }: Pick<TelemetryEvent, "type">): boolean {
  return type === "heartbeat" || type === "exit";
}

/**
 * Returns the event that `beforeSend` returns, or the promise of it; null when it drops the event. `event` must be a copy, because the hook
 * may change it. Throws what the hook throws, and when its result isn't an event.
 */
export function askBeforeSend(beforeSend: BeforeSend, event: TelemetryEvent): MaybeLater<TelemetryEvent | null> {
  // The hook can't change what identifies an event: counting lost events depends on it.
  const { id, seq, type, timestamp, mechanism } = event;
  const identity = { id, seq, type, timestamp, mechanism: { ...mechanism } };
  const accept = (answer: unknown): TelemetryEvent | null => {
    if (answer === null) return null;
    if (!isEvent(answer)) throw new TypeError("beforeSend returned neither an event nor null");
    return { ...(answer as TelemetryEvent), ...identity, message: trimText(answer.message, limits.messageLengthMax) };
  };
  const returned: unknown = beforeSend(event);
  return isPromise(returned) ? returned.then(accept) : accept(returned);
}

/** Returns the event without data: error types and stack frames remain. */
export function withoutData({
  id,
  seq,
  type,
  timestamp,
  level,
  mechanism,
  exceptions,
  trace,
}: TelemetryEvent): TelemetryEvent {
  return {
    id,
    seq,
    type,
    timestamp,
    level,
    mechanism,
    message: withheldText,
    ...(exceptions === undefined
      ? {}
      : {
          exceptions: exceptions.map(({ type: name, frames, parent }) => ({
            type: name,
            message: withheldText,
            stack: "",
            ...(frames === undefined ? {} : { frames: frames.map(({ vars: _vars, ...place }) => place) }),
            ...(parent === undefined ? {} : { parent }),
          })),
        }),
    ...(trace === undefined ? {} : { trace }),
  };
}

function isEvent(value: unknown): value is OutgoingEvent {
  if (!isRecord(value)) return false;
  const { message, level, exceptions, breadcrumbs, request, trace, attributes, user, tags, contexts } = value;
  return (
    typeof message === "string" &&
    isLevel(level) &&
    isAbsentOr(exceptions, (list) => isListOf(list, isException)) &&
    isAbsentOr(breadcrumbs, (list) => isListOf(list, (one) => areTexts(one, "timestamp", "category"))) &&
    isAbsentOr(request, (one) => areTexts(one, "method", "path") && isRecord(one.headers)) &&
    isAbsentOr(trace, (one) => areTexts(one, "trace_id", "span_id")) &&
    isAbsentOr(attributes, isRecord) &&
    isAbsentOr(user, isRecord) &&
    isAbsentOr(tags, (one) => isRecord(one) && areTexts(one, ...Object.keys(one))) &&
    isAbsentOr(contexts, (one) => isRecord(one) && Object.values(one).every(isRecord))
  );
}

function isException(value: Record<string, unknown>): boolean {
  return areTexts(value, "type", "message", "stack") && isAbsentOr(value.frames, (list) => isListOf(list, isRecord));
}

function isAbsentOr(value: unknown, test: (value: unknown) => boolean): boolean {
  return value === undefined || test(value);
}

function isListOf(value: unknown, test: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && test(item));
}

function areTexts(value: unknown, ...names: string[]): value is Record<string, unknown> {
  return isRecord(value) && names.every((name) => typeof value[name] === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
