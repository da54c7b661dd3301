import type { Incident } from "@whence/protocol";

/** Target medians from the throw to the completed report. A handled error waits for its batch first. */
export const targetsMs = { crash: 1_500, handled: 6_500 } as const;

/** Returns the time from the throw, as the failing process saw it, to the completed report; undefined without one. */
export function throwToReportMs({ completed_at: completedAt, report }: Incident): number | undefined {
  const thrown = report?.evidence.find(({ source }) => source.kind === "exception")?.observed_at;
  if (completedAt === null || thrown === undefined) return undefined;
  return Date.parse(completedAt) - Date.parse(thrown);
}

/** Returns the median; undefined without values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.length === 0 ? undefined : middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
