import { hourMs, incidentStatuses, severities } from "@whence/protocol";
import { z } from "zod";

/** How far back a list goes, by its name in the address. */
export const spans = {
  "1h": { label: "Last hour", ms: hourMs },
  "24h": { label: "Last day", ms: 24 * hourMs },
  "7d": { label: "Last 7 days", ms: 7 * 24 * hourMs },
  "30d": { label: "Last 30 days", ms: 30 * 24 * hourMs },
} as const;
export type SpanName = keyof typeof spans;

export const spanNames = ["1h", "24h", "7d", "30d"] as const satisfies readonly SpanName[];

const text = z.string().min(1).optional().catch(undefined);

/** The parameters of the list's address; one that makes no sense counts as not given. */
export const incidentFilterSchema = z.object({
  service: text,
  env: text,
  status: z.enum(incidentStatuses).optional().catch(undefined),
  severity: z.enum(severities).optional().catch(undefined),
  trigger: text,
  span: z.enum(spanNames).optional().catch(undefined),
  search: z.string().min(1).max(200).optional().catch(undefined),
});
export type IncidentFilter = z.infer<typeof incidentFilterSchema>;
