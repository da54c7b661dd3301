import type { Exception, TelemetryEvent } from "@whence/protocol";
import { toJson } from "../runtime/json.ts";

/** JSON of lists that many events share: a burst of errors has one stack and one trail, which are most of its text. */
const written = new WeakMap<object, string>();

/** Returns an event as JSON. Frozen lists of frames and breadcrumbs never change, so each is serialized once. */
export function eventJson(event: TelemetryEvent): string {
  const { exceptions, breadcrumbs } = event;
  // V8 copies a rest parameter far more slowly than a spread; joining would copy each part once more.
  let json = toJson({ ...event, exceptions: undefined, breadcrumbs: undefined }).slice(0, -1);
  if (exceptions) json += `,"exceptions":[${exceptions.reduce(afterComma, "")}]`;
  if (breadcrumbs) json += `,"breadcrumbs":${listJson(breadcrumbs)}`;
  return `${json}}`;
}

function afterComma(before: string, exception: Exception): string {
  return before === "" ? exceptionJson(exception) : `${before},${exceptionJson(exception)}`;
}

function exceptionJson(exception: Exception): string {
  const { frames } = exception;
  const json = toJson({ ...exception, frames: undefined });
  return frames ? `${json.slice(0, -1)},"frames":${listJson(frames)}}` : json;
}

function listJson(list: readonly unknown[]): string {
  if (!Object.isFrozen(list)) return toJson(list);
  const known = written.get(list);
  if (known !== undefined) return known;
  const json = toJson(list);
  written.set(list, json);
  return json;
}
