import { z } from "zod";
import { duration, inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

/** Something that a process did before it stopped reporting. */
const activitySchema = z
  .object({
    instance: z.string(),
    at: z.string(),
    category: z.string(),
    message: z.string(),
    /** How long before its last heartbeat, by its own clock; null when unknown. */
    beforeLastMs: z.number().nullable(),
  })
  .readonly();

export const lastActivity = factKind({
  name: "last-activity",
  means: "Something that a process did before it stopped reporting",
  data: z.object({ activity: activitySchema }),
  example: {
    activity: {
      instance: "instance-1",
      at: "2026-03-01T09:59:48.000Z",
      category: "http",
      message: "GET /orders/1",
      beforeLastMs: 12_000,
    },
  },
  evidence: ({ activity: { category, message, beforeLastMs } }) => {
    const before = beforeLastMs === null ? "" : `, ${duration(beforeLastMs)} before its last heartbeat`;
    return `last activity: ${category === "http" ? "" : `${category} `}${inlineCode(message)}${before}`;
  },
  figures: ({ activity: { beforeLastMs } }) => (beforeLastMs === null ? [] : [duration(beforeLastMs)]),
  isComputed: true,
});
