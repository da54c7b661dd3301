import { z } from "zod";
import { categorySchema } from "../failures/category.ts";
import { locationSchema } from "../reports/evidence.ts";
import { timestampSchema } from "../text.ts";
import { severities } from "./incident.ts";
import { lifecycleStates } from "./lifecycle.ts";

/** The limits of links to reports, apart from those that are part of each telemetry client. */
export const shareLimits = {
  /** Links that work at once, of an incident and of an organization, and how long one works. */
  sharesPerIncidentMax: 10,
  sharesPerOrganizationMax: 200,
  shareHoursMax: 720,
  shareTokenLengthMax: 100,
  /** Requests for shared reports from one address. */
  sharedReadsPerMinutePerAddress: 60,
} as const;

const shareHoursDefault = 168;

/** The body of `POST /api/incidents/{id}/shares`. */
export const newShareSchema = z.object({
  /** How long the link works; a week by default. */
  hours: z.int().min(1).max(shareLimits.shareHoursMax).default(shareHoursDefault),
});

/** A link by which people without an account read an incident's report. */
export const incidentShareSchema = z.object({
  id: z.string(),
  created_at: timestampSchema,
  /** The name of the member who made it. */
  created_by: z.string(),
  expires_at: timestampSchema,
  /** How often it was opened. */
  opened: z.int().min(0),
  last_opened_at: timestampSchema.nullable(),
});
export type IncidentShare = z.infer<typeof incidentShareSchema>;

/** A link that was just made. Its address isn't shown again. */
export const createdShareSchema = z.object({ share: incidentShareSchema, url: z.string() });
export type CreatedShare = z.infer<typeof createdShareSchema>;

/** The body of `POST /api/shared`: what comes after `#` in the link. */
export const sharedTokenSchema = z.object({ token: z.string().min(1).max(shareLimits.shareTokenLengthMax) });

const sharedSolutionSchema = z.object({ title: z.string(), detail: z.string() });

/**
 * What people without an account see of a report: what happened and what to do. Evidence and its quotes aren't part of
 * it, nor what cites requests and breadcrumbs.
 */
export const sharedReportSchema = z.object({
  title: z.string(),
  severity: z.enum(severities),
  state: z.enum(lifecycleStates),
  service: z.string().nullable(),
  env: z.string().nullable(),
  created_at: timestampSchema,
  /** When the link stops working. */
  expires_at: timestampSchema,
  root_cause: z.object({
    summary: z.string(),
    category: categorySchema,
    service: z.string().nullable(),
    location: locationSchema.nullable(),
  }),
  confidence: z.string(),
  /** From the origin to the symptom. */
  chain: z.array(
    z.object({
      what: z.string(),
      service: z.string().nullable(),
      release: z.string().nullable(),
      location: locationSchema.nullable(),
      at: z.string().nullable(),
    }),
  ),
  do_now: z.array(sharedSolutionSchema),
  prevent: z.array(sharedSolutionSchema),
  impact: z.object({
    events: z.int().min(0),
    first_seen: z.string().nullable(),
    last_seen: z.string().nullable(),
    services: z.array(z.string()),
    releases: z.array(z.string()),
  }),
  not_checked: z.array(z.string()),
});
export type SharedReport = z.infer<typeof sharedReportSchema>;
