import { z } from "zod";

const time = z.union([z.string(), z.number()]);
const count = z.int().min(0).default(0).catch(0);
const attributes = z
  .object({
    release: z.string().nullish().catch(null),
    environment: z.string().nullish().catch(null),
  })
  .nullish()
  .catch(null);

/** What is read of a `session` item: how one session is. */
export const sentrySessionSchema = z.object({
  sid: z.string().min(1).max(64),
  started: time,
  status: z.string().nullish().catch(null),
  attrs: attributes,
});
export type SentrySession = z.infer<typeof sentrySessionSchema>;

/** What is read of a `sessions` item: how many sessions of a server began, by minute, and how they ended. */
export const sentrySessionsSchema = z.object({
  aggregates: z
    .array(
      z.object({ started: time, exited: count, errored: count, crashed: count, abnormal: count, unhandled: count }),
    )
    .max(1_000),
  attrs: attributes,
});
export type SentrySessions = z.infer<typeof sentrySessionsSchema>;
