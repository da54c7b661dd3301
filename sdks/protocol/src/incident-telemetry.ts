import { z } from "zod";

const counted = z.array(z.object({ name: z.string(), events: z.int().min(0) }));

export const timelineKinds = ["breadcrumb", "error", "deploy", "heartbeat", "exit"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** The answer of `GET /api/incidents/{id}/telemetry`: what the telemetry says around an incident. */
export const incidentTelemetrySchema = z.object({
  /** The span that was looked at, in full minutes; `to` is excluded. */
  from: z.string(),
  to: z.string(),
  /** Events of the failure by minute, minutes without any left out. */
  minutes: z.array(z.object({ minute: z.string(), events: z.int().min(0) })),
  routes: counted,
  hosts: counted,
  releases: counted,
  /** What happened around it in its service, oldest first: bounded, the nearest to the incident kept. */
  timeline: z.array(
    z.object({
      at: z.string(),
      kind: z.enum(timelineKinds),
      text: z.string(),
      /** The process it was heard from. */
      instance: z.string().nullable(),
    }),
  ),
});
export type IncidentTelemetry = z.infer<typeof incidentTelemetrySchema>;
export type TimelineEntry = IncidentTelemetry["timeline"][number];
