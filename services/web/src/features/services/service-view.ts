import { z } from "zod";

/** How far back the page of a service goes, by its name in the URL. */
export const viewSpans = ["1h", "24h", "7d", "30d"] as const;
export type ViewSpan = (typeof viewSpans)[number];
export const defaultSpan: ViewSpan = "24h";

const spanDays: Readonly<Record<ViewSpan, number>> = { "1h": 0, "24h": 1, "7d": 7, "30d": 30 };
export const spanNames: Readonly<Record<ViewSpan, string>> = {
  "1h": "Hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
};

/** The query parameters of the page's URL; an invalid one is ignored. */
export const serviceViewSchema = z.object({
  env: z.string().min(1).optional().catch(undefined),
  span: z.enum(viewSpans).optional().catch(undefined),
});

export type ServiceView = z.infer<typeof serviceViewSchema>;

/** Returns the spans that differ, given for how many days telemetry is kept. */
export function offeredSpans(retentionDays: number): ViewSpan[] {
  return viewSpans.filter((_span, index) => {
    const before = viewSpans[index - 1];
    return before === undefined || spanDays[before] < retentionDays;
  });
}
