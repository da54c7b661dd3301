import { droppedSchema, eventSchema, hostSchema, timestampSchema } from "@whence/protocol";
import type { BackupRow, StoredEvent } from "@whence/storage";
import { z } from "zod";

/** The format that this release writes, and the newest that it reads. */
export const backupFormat = 1;

/** The first line, which identifies the file. */
export const headSchema = z.object({
  whence_backup: z.int().min(1),
  at: z.iso.datetime(),
  engine_version: z.string(),
});

/** Then the rows of the control database … */
const cellSchema = z.union([z.string(), z.number(), z.null()]);
export const rowLineSchema: z.ZodType<BackupRow> = z.object({
  table: z.string().min(1),
  row: z.record(z.string(), cellSchema),
});

/** … then the events … */
const storedEventSchema: z.ZodType<StoredEvent> = z.object({
  scopeId: z.string().min(1),
  event: eventSchema,
  service: z.string(),
  env: z.string(),
  release: z.string(),
  instance: z.string(),
  host: hostSchema,
  sdk: z.object({ name: z.string(), version: z.string() }),
  fingerprint: z.string(),
  receivedAt: z.iso.datetime(),
  dropped: z.array(droppedSchema).exactOptional(),
  retentionDays: z.int().min(1).exactOptional(),
  claimedAt: timestampSchema.exactOptional(),
});
export const eventLineSchema = z.object({ event: storedEventSchema });

/** … and the last line counts them: a file without it was cut off. */
export const endSchema = z.object({
  end: z.object({ rows: z.int().min(0), events: z.int().min(0) }),
  /** What the service had and the backup lacks; null when the queue was unavailable. */
  not_included: z.object({ telemetry_messages: z.int().min(0).nullable() }),
});
