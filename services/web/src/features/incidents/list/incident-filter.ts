import { hourMs, incidentSorts, incidentStatuses, lifecycleStates, severities } from "@whence/protocol";
import { z } from "zod";

/** How far back a list goes, by its name in the URL. */
export const spans = {
  "1h": { label: "Last hour", ms: hourMs },
  "24h": { label: "Last day", ms: 24 * hourMs },
  "7d": { label: "Last 7 days", ms: 7 * 24 * hourMs },
  "30d": { label: "Last 30 days", ms: 30 * 24 * hourMs },
} as const;
export type SpanName = keyof typeof spans;

export const spanNames = ["1h", "24h", "7d", "30d"] as const satisfies readonly SpanName[];

const text = z.string().min(1).optional().catch(undefined);

/** The query parameters of the list's URL; an invalid one is ignored. */
export const incidentFilterSchema = z.object({
  service: text,
  env: text,
  status: z.enum(incidentStatuses).optional().catch(undefined),
  state: z.enum(lifecycleStates).optional().catch(undefined),
  owner: text,
  severity: z.enum(severities).optional().catch(undefined),
  trigger: text,
  span: z.enum(spanNames).optional().catch(undefined),
  search: z.string().min(1).max(200).optional().catch(undefined),
  /** Newest first without one. */
  sort: z.enum(incidentSorts).exclude(["newest"]).optional().catch(undefined),
});
export type IncidentFilter = z.infer<typeof incidentFilterSchema>;

/** Returns the filter with one value replaced; an empty value removes it. */
export function changedFilter(filter: IncidentFilter, name: keyof IncidentFilter, value: string): IncidentFilter {
  return incidentFilterSchema.parse({ ...filter, [name]: value === "" ? undefined : value });
}

/** Returns whether the filter leaves any incident out. */
export function isNarrowed({ sort: _, ...filter }: IncidentFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** Returns the start of a span (RFC 3339); undefined for any time. */
export function sinceOf(span: SpanName | undefined, now: number): string | undefined {
  return span === undefined ? undefined : new Date(now - spans[span].ms).toISOString();
}

/** A value of a filter, and its label. */
export type FilterChoice = readonly [value: string, name: string];

/** Returns the choices, including the current value even if no incident has it. */
export function withCurrent(choices: readonly FilterChoice[], current: string | undefined): readonly FilterChoice[] {
  if (current === undefined || choices.some(([value]) => value === current)) return choices;
  return [...choices, [current, current]];
}
