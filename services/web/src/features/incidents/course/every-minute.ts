import { type IncidentTelemetry, minuteMs } from "@whence/protocol";

/** Returns counts for every minute of the span, including those without events. */
export function everyMinute({ from, to, minutes }: Pick<IncidentTelemetry, "from" | "to" | "minutes">): {
  readonly times: readonly number[];
  readonly counts: readonly number[];
} {
  const known = new Map(minutes.map(({ minute, events }) => [Date.parse(minute), events]));
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const times = Array.from(
    { length: Math.max(0, Math.round((end - begin) / minuteMs)) },
    (_, index) => begin + index * minuteMs,
  );
  return { times, counts: times.map((time) => known.get(time) ?? 0) };
}
