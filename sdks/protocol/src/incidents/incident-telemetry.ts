import { z } from "zod";
import { redactionSchema } from "../telemetry/telemetry.ts";

const counted = z.array(z.object({ name: z.string(), events: z.int().min(0) }));

export const timelineKinds = ["breadcrumb", "error", "deploy", "heartbeat", "exit"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** A frame that the client led back to its source: where the code is that ran. */
const mappedFrameSchema = z.object({
  file: z.string(),
  line: z.int().nullable(),
  generated: z.object({ file: z.string(), line: z.int().nullable() }),
});

/** A frame with the variables of its call, by name. */
const frameVariablesSchema = z.object({
  file: z.string(),
  line: z.int().nullable(),
  function: z.string().nullable(),
  variables: z.record(z.string(), z.unknown()),
});

/** What the failing event came without, and what was made of it before it was sent. */
const failingEventSchema = z.object({
  event_id: z.string(),
  /** The time that its client gave, where that could not be right and the event is dated by its receipt. */
  claimed_at: z.string().nullable(),
  /** The values that were replaced: by which rule and where, the first ones, never the values. */
  redactions: z.array(redactionSchema),
  /** Whether the program's `beforeSend` failed on it, so that its texts and data were left out. */
  withheld: z.boolean(),
  /** How many other events of its process `beforeSend` kept back. */
  kept_back: z.int().min(0),
  /** Frames of its own code, innermost first, the first ones. */
  mapped_frames: z.array(mappedFrameSchema),
  /** Frames with local variables, innermost first, those of the error before those of its causes, the first ones. */
  local_variables: z.array(frameVariablesSchema),
});
export type FailingEvent = z.infer<typeof failingEventSchema>;

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
  /** Null where no event opened the incident, and when that is no longer kept. */
  failing_event: failingEventSchema.nullable(),
  /** What happened around it in its service, oldest first: bounded, the nearest to the incident kept. */
  timeline: z.array(
    z.object({
      at: z.string(),
      kind: z.enum(timelineKinds),
      text: z.string(),
      /** The process that reported it. */
      instance: z.string().nullable(),
    }),
  ),
});
export type IncidentTelemetry = z.infer<typeof incidentTelemetrySchema>;
export type TimelineEntry = IncidentTelemetry["timeline"][number];
