import { z } from "zod";
import { redactionSchema } from "../telemetry/telemetry.ts";

const counted = z.array(z.object({ name: z.string(), events: z.int().min(0) }));

export const timelineKinds = ["breadcrumb", "error", "deploy", "heartbeat", "exit"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** A frame that the client mapped to its source, with the place of the code that ran. */
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

/** What the failing event lacks, and what the client and the gateway changed in it. */
const failingEventSchema = z.object({
  event_id: z.string(),
  /** The client's timestamp, where it couldn't be right and the event is dated by its receipt. */
  claimed_at: z.string().nullable(),
  /** The first replaced values, by rule and place, without the values. */
  redactions: z.array(redactionSchema),
  /** Whether the program's `beforeSend` failed on it, so that its texts and data were left out. */
  withheld: z.boolean(),
  /** How many other events of its process `beforeSend` dropped. */
  kept_back: z.int().min(0),
  /** The first frames of its own code, innermost first. */
  mapped_frames: z.array(mappedFrameSchema),
  /** The first frames with local variables, innermost first, those of the error before those of its causes. */
  local_variables: z.array(frameVariablesSchema),
});
export type FailingEvent = z.infer<typeof failingEventSchema>;

/** The answer of `GET /api/incidents/{id}/telemetry`: the telemetry around an incident. */
export const incidentTelemetrySchema = z.object({
  /** The window, in full minutes; `to` is exclusive. */
  from: z.string(),
  to: z.string(),
  /** Events of the failure by minute; minutes without any are left out. */
  minutes: z.array(z.object({ minute: z.string(), events: z.int().min(0) })),
  /** How many users the events of the failure name, in the latest 10,000; 0 where the program names none. */
  users: z.int().min(0),
  routes: counted,
  hosts: counted,
  releases: counted,
  /** Null when no event opened the incident, or when that event is no longer stored. */
  failing_event: failingEventSchema.nullable(),
  /** What happened around it in its service, oldest first. Bounded to what is nearest to the incident. */
  timeline: z.array(
    z.object({
      at: z.string(),
      kind: z.enum(timelineKinds),
      text: z.string(),
      /** The process that reported it, by its instance id. */
      instance: z.string().nullable(),
    }),
  ),
});
export type IncidentTelemetry = z.infer<typeof incidentTelemetrySchema>;
export type TimelineEntry = IncidentTelemetry["timeline"][number];
