import type { FailingCalls } from "@whence/engine";
import { isShortlyBefore } from "@whence/protocol";
import type { Circumstances, RecordedCall } from "@whence/storage";
import { placeOf } from "./addresses.ts";

/** A call that started this long before without an answer won't get one. */
const unansweredMs = 1_000;
/** Slow: this many times the ordinary duration, and at least this long. */
const slowFactor = 5;
const slowMs = 1_000;
const ordinaryMin = 5;

/** How the answering side of a call failed. */
export type CallTrouble = FailingCalls["how"];

/** Returns the ordinary duration of calls to a place, in milliseconds; null when too few were recorded. */
export type OrdinaryDuration = (call: RecordedCall) => number | null;

/** Returns the calls shortly before a time. */
export function callsBefore(calls: readonly RecordedCall[], at: string): RecordedCall[] {
  return calls.filter((call) => isShortlyBefore(call.at, at));
}

/**
 * Returns the calls shortly before an event that may have led to it; if it has a request, those made while serving it.
 */
export function callsLeadingTo({ calls, at, method }: Circumstances): RecordedCall[] {
  return callsBefore(calls, at).filter(({ isOfProcess }) => !isOfProcess || method === "");
}

/**
 * Returns what the answering side did wrong in a call: no answer, its own failure (5xx), throttling (429), rejected
 * credentials (401, 403), or far more time than usual. Other 4xx are caused by the calling side.
 */
export function troubleOf(call: RecordedCall, at: string, ordinary: OrdinaryDuration): CallTrouble | null {
  if (call.error !== null) return "error";
  if (call.statusCode === null && call.durationMs === null) {
    return Date.parse(at) - Date.parse(call.at) >= unansweredMs ? "unanswered" : null;
  }
  if (call.statusCode !== null && (call.statusCode >= 500 || [401, 403, 429].includes(call.statusCode)))
    return "status";
  const usual = ordinary(call);
  const isSlow = usual !== null && (call.durationMs ?? 0) >= Math.max(slowMs, slowFactor * usual);
  return isSlow ? "slow" : null;
}

/** Returns the median duration of successful calls, by host and path without numbers and ids. */
export function ordinaryDurations(calls: Iterable<RecordedCall>): OrdinaryDuration {
  const durations = new Map<string, number[]>();
  for (const call of calls) {
    if (call.durationMs === null || call.error !== null || (call.statusCode ?? 500) >= 400) continue;
    const key = routeOf(call);
    const known = durations.get(key);
    if (known) known.push(call.durationMs);
    else durations.set(key, [call.durationMs]);
  }
  const medians = new Map([...durations].map(([route, known]) => [route, median(known)]));
  return (call) => medians.get(routeOf(call)) ?? null;
}

function median(known: readonly number[]): number | null {
  if (known.length < ordinaryMin) return null;
  const sorted = known.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

function routeOf(call: RecordedCall): string {
  const { host, path } = placeOf(call);
  const pattern = path
    .split("/")
    .map((part) => (/\d/.test(part) ? "*" : part))
    .join("/");
  return `${call.method} ${host}${pattern}`;
}
