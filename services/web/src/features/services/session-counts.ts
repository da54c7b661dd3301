import { hourMs, type ServiceDetail } from "@whence/protocol";
import { sentenceTime } from "../../lib/times.ts";
import type { Series } from "./service-course.ts";

const percent = 100;
/** Digits beyond the point of a percentage. */
const digits = 2;

type SessionSpan = Pick<ServiceDetail, "from" | "to" | "session_hours">;

interface SessionCounts {
  readonly sessions: number;
  readonly crashed: number;
}

/** Returns, for example, `99.85%`: rounded down, so that 100% means that none crashed. */
export function crashFreeText({ sessions, crashed }: SessionCounts): string {
  const share = sessions === 0 ? 1 : 1 - crashed / sessions;
  const factor = 10 ** digits;
  // Without the tolerance, a share such as 0.9985 would lose its last digit.
  const shown = Math.floor(share * percent * factor + 1e-6) / factor;
  return `${shown.toLocaleString(undefined, { maximumFractionDigits: digits })}%`;
}

/** Returns, for example, ` since 04:00:00 UTC` where not all hours of the span are counted, and nothing otherwise. */
export function countedSince(
  { from, sessions_from: since }: Pick<ServiceDetail, "from" | "sessions_from">,
  now: number,
): string {
  return since === null || Date.parse(since) <= Date.parse(from) ? "" : ` since ${sentenceTime(since, now)}`;
}

/** Returns the crashed sessions of each hour of the span, in percent; null for an hour without sessions. */
export function crashedByHour({ from, to, session_hours: hours }: SessionSpan): Series {
  const known = new Map(hours.map((one) => [Date.parse(one.hour), one]));
  const begin = Math.floor(Date.parse(from) / hourMs) * hourMs;
  const times = Array.from(
    { length: Math.ceil((Date.parse(to) - begin) / hourMs) },
    (_, index) => begin + index * hourMs,
  );
  const values = times.map((time) => {
    const { sessions = 0, crashed = 0 } = known.get(time) ?? {};
    return sessions === 0 ? null : (percent * crashed) / sessions;
  });
  return { times, values };
}
